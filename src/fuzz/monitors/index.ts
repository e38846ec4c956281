export { monitors } from './fuzzer.ts'
