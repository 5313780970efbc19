// Finds regular expressions whose time may grow faster than the text: one in a form would stop n8n. In a config of its own,
// because n8n's strict mode requires that eslint.config.mjs has n8n's rules only.
import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

export default [
	{
		files: ['**/*.ts'],
		languageOptions: { parser },
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
		},
	},
];
