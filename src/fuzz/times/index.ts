export { printers } from './printers.ts'
export { times } from './fuzzer.ts'
