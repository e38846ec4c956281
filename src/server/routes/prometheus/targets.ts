import { defineReadRoutes } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { alertManagersAnswer, targetsAnswer } from './schemas.ts'

/** There is no scraping: samples are sent. */
const targetRoutes = defineReadRoutes({
  name: 'prometheusTargets',
  path: '/api/v1/targets',
  summary: 'List scrape targets; always empty',
  parameters: { state: '`active`, `dropped` or `any`.', scrapePool: 'Only targets of this pool.' },
  answer: targetsAnswer,
  hasForm: false,
  isQuery: false,
  handle: (limits) => dataResponse({ activeTargets: [], droppedTargets: [], droppedTargetCounts: {} }, limits),
})

const alertManagerRoutes = defineReadRoutes({
  name: 'prometheusAlertManagers',
  path: '/api/v1/alertmanagers',
  summary: 'List Alertmanagers; always empty',
  parameters: {},
  answer: alertManagersAnswer,
  hasForm: false,
  isQuery: false,
  handle: (limits) => dataResponse({ activeAlertmanagers: [], droppedAlertmanagers: [] }, limits),
})

export const prometheusTargetRoutes = [...targetRoutes, ...alertManagerRoutes]
