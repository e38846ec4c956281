export { AlertingService, type AlertingFigures, type AlertingOptions } from './alerting-service.ts'
export { TestClock } from './test-clock.ts'
