// A node without anything in it: what loading it takes, any node takes.
const { NodeConnectionTypes } = require('n8n-workflow');

exports.EmptyNode = class {
	description = {
		displayName: 'Empty',
		name: 'empty',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Empty' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};
};
