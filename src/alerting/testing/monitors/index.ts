export { isMonitorTests } from './read-tests.ts'
export { runMonitorTests, type MonitorTestTools } from './run-tests.ts'
