import { internalRoute } from './definition/internal-query.ts'
import type { AnyRoute } from './definition/route.ts'
import { alertmanagerRoutes } from './alertmanager.ts'
import { collectorRoutes } from './ingest/splunk-collector.ts'
import { clusterListRoute } from './cluster-list.ts'
import { datadogRoutes } from './ingest/datadog.ts'
import { deleteRowsRoute } from './delete-rows.ts'
import { elasticsearchRoutes } from './ingest/elasticsearch.ts'
import { eventSearchRoute } from './event-search.ts'
import { eventsOverTimeRoute } from './events-over-time.ts'
import { explainRoutes } from './explain.ts'
import { fieldRoutes } from './fields.ts'
import { ingestRoutes } from './ingest/ingest.ts'
import { insertLinesRoute } from './ingest/insert-lines.ts'
import { lokiRoutes } from './ingest/loki.ts'
import { lokiReadRoutes } from './loki/index.ts'
import { jaegerRoutes } from './jaeger/index.ts'
import { journalUploadRoute } from './ingest/journal-upload.ts'
import { otlpRoutes } from './ingest/otlp.ts'
import { keyListRoute } from './keys.ts'
import { logSearchRoute } from './log-search.ts'
import { metricQueryRoute } from './metric-query.ts'
import { monitorQueries } from './monitor-queries.ts'
import { monitorStateRoutes } from './monitor-states.ts'
import { monitorRoutes } from './monitors.ts'
import { policyRoutes } from './policies.ts'
import { prometheusBuildInfoRoutes } from './prometheus/build-info.ts'
import { prometheusExemplarRoutes } from './prometheus/exemplars.ts'
import { prometheusFederateRoutes } from './prometheus/federate.ts'
import { prometheusNotificationRoutes } from './prometheus/notifications.ts'
import { prometheusRuleRoutes } from './prometheus/rules.ts'
import { prometheusStatusRoutes } from './prometheus/status.ts'
import { prometheusTargetRoutes } from './prometheus/targets.ts'
import { prometheusTsdbRoutes } from './prometheus/tsdb.ts'
import { prometheusFormatQueryRoutes } from './prometheus/format-query.ts'
import { prometheusImportRoutes } from './ingest/prometheus-import.ts'
import { prometheusLabelValuesRoutes } from './prometheus/label-values.ts'
import { prometheusLabelsRoutes } from './prometheus/labels.ts'
import { prometheusMetadataRoutes } from './prometheus/metadata.ts'
import { prometheusParseQueryRoutes } from './prometheus/parse-query.ts'
import { prometheusQueryRangeRoutes } from './prometheus/query-range.ts'
import { prometheusQueryRoutes } from './prometheus/query.ts'
import { prometheusReadRoutes } from './prometheus/read.ts'
import { prometheusSeriesRoutes } from './prometheus/series.ts'
import { prometheusWriteRoutes } from './ingest/prometheus-write.ts'
import { ruleQueries } from './rule-queries.ts'
import { selectRoutes } from './victorialogs/index.ts'
import { savedQueryRoutes } from './saved-queries.ts'
import { silenceRoutes } from './silences.ts'
import { tailLogsRoute } from './tail-logs.ts'
import { tempoRoutes } from './tempo/index.ts'
import { traceSearchRoute } from './trace-search.ts'
import { workloadListRoute } from './workload-list.ts'

/** All routes that require a key. */
export const routes: readonly AnyRoute[] = [
  logSearchRoute,
  tailLogsRoute,
  eventSearchRoute,
  traceSearchRoute,
  metricQueryRoute,
  eventsOverTimeRoute,
  clusterListRoute,
  workloadListRoute,
  deleteRowsRoute,
  ...prometheusQueryRoutes,
  ...prometheusQueryRangeRoutes,
  ...prometheusSeriesRoutes,
  ...prometheusLabelsRoutes,
  ...prometheusLabelValuesRoutes,
  ...prometheusMetadataRoutes,
  ...prometheusParseQueryRoutes,
  ...prometheusFormatQueryRoutes,
  ...prometheusBuildInfoRoutes,
  ...prometheusExemplarRoutes,
  ...prometheusFederateRoutes,
  ...prometheusNotificationRoutes,
  ...prometheusRuleRoutes,
  ...prometheusStatusRoutes,
  ...prometheusTargetRoutes,
  ...prometheusTsdbRoutes,
  ...prometheusReadRoutes,
  ...prometheusWriteRoutes,
  ...prometheusImportRoutes,
  ...monitorRoutes,
  ...monitorStateRoutes,
  ...alertmanagerRoutes,
  ...silenceRoutes,
  ...policyRoutes,
  ...savedQueryRoutes,
  keyListRoute,
  ...fieldRoutes,
  ...explainRoutes,
  ...selectRoutes,
  ...lokiReadRoutes,
  ...tempoRoutes,
  ...jaegerRoutes,
  ...ingestRoutes,
  ...otlpRoutes,
  ...elasticsearchRoutes,
  ...collectorRoutes,
  ...datadogRoutes,
  insertLinesRoute,
  ...lokiRoutes,
  journalUploadRoute,
]

/** Queries that the server itself starts, as routes for workers; not reachable over HTTP. */
export const internalRoutes: readonly AnyRoute[] = [internalRoute(monitorQueries), internalRoute(ruleQueries)]
