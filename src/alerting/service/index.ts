export { AlertingService, type AlertingFigures, type AlertingOptions } from './alerting-service.ts'
