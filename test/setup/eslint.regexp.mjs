// Finds regular expressions whose time may grow faster than the text: a form's text would stop n8n. A config of its own, because
// n8n requires its config to be the package's only one.
import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

export default [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
];
