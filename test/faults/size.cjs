/** Jest reporter: prints how large the fault matrix was, after a run with all or a part of it. */
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
		const ways = count(([operation, way]) => `${operation} ${way}`);
		const faults = count(([, , fault]) => fault);
		const modes = count(([, , , mode]) => mode);
		const inAll = cells.length === ways * faults * modes ? 'x' : 'each in one of';
		const total = cells.length.toLocaleString('en-US');
		process.stderr.write(
			`fault matrix: ${operations} operations (${ways} ways to use them) x ${faults} faults ${inAll} ${modes} modes = ${total} cells\n`,
		);
	}
};
