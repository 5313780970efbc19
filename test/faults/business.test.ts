import './clock';
import { faultMatrix } from './matrix';

faultMatrix('business');
