import { matchersOfSelector } from '../../../lang/promql/index.ts'
import { countParameter } from '../../metrics/parameters.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { alertManagersAnswer, scrapePoolsAnswer, targetMetadataAnswer, targetsAnswer } from './schemas.ts'

/** The list is empty, because Sluice does not scrape. */
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

const targetMetadataRoutes = defineReadRoutes({
  name: 'prometheusTargetMetadata',
  path: '/api/v1/targets/metadata',
  summary: 'List metadata of metrics by scrape target; always empty',
  parameters: {
    match_target: 'Only targets whose labels match this selector.',
    metric: 'Only this metric.',
    limit: 'At most this many targets.',
  },
  answer: targetMetadataAnswer,
  hasForm: false,
  isQuery: false,
  handle: ({ parameters, caller, ...limits }) => {
    countParameter(parameters, 'limit')
    const selector = parameters.get('match_target')
    if (selector !== undefined) {
      caller.readsText('match_target', selector)
      matchersOfSelector(selector)
    }
    return dataResponse([], limits)
  },
})

const scrapePoolRoutes = defineReadRoutes({
  name: 'prometheusScrapePools',
  path: '/api/v1/scrape_pools',
  summary: 'List scrape pools; always empty',
  parameters: {},
  answer: scrapePoolsAnswer,
  hasForm: false,
  isQuery: false,
  handle: (limits) => dataResponse({ scrapePools: [] }, limits),
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

export const prometheusTargetRoutes = [
  ...targetRoutes,
  ...targetMetadataRoutes,
  ...scrapePoolRoutes,
  ...alertManagerRoutes,
]
