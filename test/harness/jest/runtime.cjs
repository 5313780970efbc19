// Loads packages once per worker instead of once per test file: n8n's engine alone takes over a second of CPU.
// What a package keeps in memory stays from file to file. A test file's mock of a package applies to that file's own
// modules, not to other packages.
const { default: Runtime } = require('jest-runtime');

const isPackage = (name) => !/^(\.|\/|[A-Z]:)/i.test(name);
let packages;

module.exports = class extends Runtime {
	constructor(...options) {
		super(...options);
		packages ??= new Runtime(...options);
	}

	requireModule(from, name, options, isRequireActual) {
		return name &&
			isPackage(name) &&
			!options?.isInternalModule &&
			!this._resolution.isCoreModule(name)
			? packages.requireModule(from, name, options, isRequireActual)
			: super.requireModule(from, name, options, isRequireActual);
	}
};
