/** Jest reporter: prints the size of the fault matrix after a run with all or a part of it. */
module.exports = class {
	onRunComplete(_contexts, { testResults }) {
		const cells = testResults
			.flatMap((file) => file.testResults)
			.filter(({ status }) => status === 'passed' || status === 'failed')
			.map(({ ancestorTitles: [name, ...inside], title }) => [name, ...inside, title])
			.filter(([name = '']) => name.startsWith('fault matrix: '));
		if (cells.length === 0) return;
		const count = (nameOf) => new Set(cells.map(nameOf)).size;
		const operations = count(([operation]) => operation);
		const scenarios = count(([operation, scenario]) => `${operation} ${scenario}`);
		const faults = count(([, , fault]) => fault);
		const modes = count(([, , , mode]) => mode);
		const isFull = cells.length === scenarios * faults * modes;
		const total = cells.length.toLocaleString('en-US');
		process.stderr.write(
			`fault matrix: ${operations} operations (${scenarios} scenarios) x ${faults} faults ${isFull ? 'x' : 'each in one of'} ${modes} modes = ${total} cells\n`,
		);
	}
};
