export { isJsonObject } from '../validation/reading';
