import { BUSINESS_ID } from '../../catalog/rules';
import { ids } from '../../runtime/lists';
import { text } from '../../runtime/parameters';

export const email = text({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. nathan@example.com',
	description: 'Email address of the person',
});

const phoneNumber = text({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	default: '',
	placeholder: 'e.g. +1 512 555 0100',
	description: 'Phone number of the person',
});

export const fullName = text({
	displayName: 'Full Name',
	name: 'fullName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'First and last name. Sent only together with Company Name.',
});

export const companyName = text({
	displayName: 'Company Name',
	name: 'companyName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Acme, Inc.',
	description: 'Name of the company the person works for. Sent only together with Full Name.',
});

const network = text({
	displayName: 'Network URL',
	name: 'network',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://network.example.com/in/nathan-smith',
	description: "Address of the person's profile on the professional network",
});

export const businessId = ids(
	{
		displayName: 'Business ID',
		name: 'businessId',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.business_id }}',
		description:
			'Only match people at this business; not enough by itself. Empty: at any business. Business IDs come with the rows of Get Many.',
	},
	BUSINESS_ID,
);

/** What a person may be found by. */
export const details = [email, phoneNumber, fullName, companyName, network, businessId] as const;
