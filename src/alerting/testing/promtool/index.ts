export { runPromtoolTests, type TestFiles } from './run-tests.ts'
