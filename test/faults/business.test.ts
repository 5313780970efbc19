import './clock';
import { faultMatrix } from './matrix';

faultMatrix((resource) => resource === 'business');
