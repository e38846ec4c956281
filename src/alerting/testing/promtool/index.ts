export { RuleFileError, runPromtoolTests, type TestFiles } from './run-tests.ts'
