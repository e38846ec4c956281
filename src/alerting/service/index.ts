export { AlertingService, type AlertingFigures, type AlertingOptions } from './alerting-service.ts'
export { RuleService, type RuleFigures, type RuleServiceOptions } from './rule-service.ts'
export { TestClock } from './test-clock.ts'
