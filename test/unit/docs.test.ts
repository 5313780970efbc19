import { sys } from 'typescript';
import { generatedFiles } from '../docs/generated';

test('the parts of the documentation that repeat the code are up to date (npm run docs)', () => {
	for (const [path, text] of generatedFiles())
		expect([path, sys.readFile(path)]).toEqual([path, text]);
});
