import './clock';
import { faultMatrix } from './matrix';

faultMatrix((resource) => !['prospect', 'business'].includes(resource));
