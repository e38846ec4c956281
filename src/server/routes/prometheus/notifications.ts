import { empty } from '../../http/respond.ts'
import { defineRoute } from '../definition/route.ts'
import { shapePrometheusError } from '../../metrics/shape-error.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { notificationsAnswer } from './schemas.ts'

const listRoutes = defineReadRoutes({
  name: 'prometheusNotifications',
  path: '/api/v1/notifications',
  summary: 'List notifications of the server; always empty',
  parameters: {},
  answer: notificationsAnswer,
  hasForm: false,
  isQuery: false,
  handle: (limits) => dataResponse([], limits),
})

/** Prometheus answers 204 if it has no free subscription; clients poll the list after this answer. */
const liveRoute = defineRoute({
  name: 'prometheusLiveNotifications',
  method: 'GET',
  path: '/api/v1/notifications/live',
  summary: 'Follow notifications of the server; there are none',
  role: 'read',
  answers: [{ status: 204, description: 'There is nothing to follow.' }],
  isQuery: false,
  shapeError: shapePrometheusError,
  isAvailable: ({ metricRead }) => metricRead !== undefined,
  // oxlint-disable-next-line require-await
  handle: async () => empty(204),
})

export const prometheusNotificationRoutes = [...listRoutes, liveRoute]
