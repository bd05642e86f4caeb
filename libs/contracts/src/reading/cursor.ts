export { makeCursor, readCursor } from '../validation/paging';
