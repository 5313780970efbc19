// TypeScript files may not import Node's own modules.
const { inspect } = require('node:util');

const options = { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null };

exports.inspectDeeply = (value) => inspect(value, options);
