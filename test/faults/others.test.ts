import './clock';
import { faultMatrix } from './matrix';

faultMatrix('others');
