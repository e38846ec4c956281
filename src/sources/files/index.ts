export { FileTable, type FileTableOptions } from './file-table.ts'
export { inputBytes, openInput } from './input.ts'
export { loadFiles, type LoadOptions } from './load.ts'
export { namedFiles, type NamedFiles } from './paths.ts'
