import type { RowField } from '../core/simplify';

/** The fields of a found prospect that Simplify keeps (contract: Prospect record). */
export const PROSPECT_RECORD_FIELDS: readonly RowField[] = [
	'prospect_id',
	'full_name',
	'job_title',
	'job_department_main',
	'job_level_main',
	'company_name',
	'company_website',
	'business_id',
	'country_name',
	'network',
];
