import type { RecordShape, RecordTableDefinition } from '../../plan/index.ts'

/**
 * For each field, the names under which shippers and conventions write the origin of a record, the most specific first.
 */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  namespace: [
    'k8s.namespace.name',
    'kubernetes.namespace_name',
    'kubernetes.namespace',
    'kubernetes.pod_namespace',
    'service.namespace',
    'resource.labels.namespace_name',
  ],
  cluster: ['k8s.cluster.name', 'orchestrator.cluster.name', 'resource.labels.cluster_name'],
  env: ['deployment.environment.name', 'deployment.environment', 'service.environment', 'dd.env'],
  pod: ['k8s.pod.name', 'kubernetes.pod_name', 'kubernetes.pod.name', 'resource.labels.pod_name'],
  container: [
    'k8s.container.name',
    'kubernetes.container_name',
    'kubernetes.container.name',
    'container.name',
    'resource.labels.container_name',
  ],
}

/** For each field, the variables of common nginx log formats. */
const nginxVariables = {
  time: ['time_local', 'time_iso8601', 'msec'],
  fields: {
    client: ['remote_addr'],
    user_agent: ['http_user_agent'],
    bytes: ['body_bytes_sent'],
    method: ['request_method'],
    path: ['request_uri'],
  },
}

/** Sets of members that identify a Windows event, as written by `Get-WinEvent`, collectors and Winlogbeat. */
const windowsEvents = [
  ['LevelDisplayName'],
  ['EventID', 'Channel'],
  ['EventId', 'Channel'],
  ['Id', 'ProviderName', 'LogName'],
  ['winlog.channel'],
] as const

/**
 * Returns the shape of a Windows event whose XML was converted to JSON. In the converted names, `joint` stands between
 * an XML element and its attribute.
 */
function windowsXml(joint: string): RecordShape {
  const time = `Event.System.TimeCreated${joint}SystemTime`
  return {
    name: `Windows event as XML, ${time}`,
    has: [time, 'Event.System.Level'],
    level: ['Event.System.Level'],
    levels: 'windows',
    time: [time],
    service: [`Event.System.Provider${joint}Name`],
  }
}

/**
 * Shapes of well-known loggers and shippers. Each entry tells which members have the text, level, time, service and
 * trace. If several matching entries give a member for the same field, the earlier entry is used.
 */
export const loggerShapes: readonly RecordShape[] = [
  {
    name: 'any record',
    text: ['_msg', 'message', 'msg', 'body'],
    level: ['severity', 'log.level', 'lvl', 'loglevel', 'log_level', 'Level', 'LEVEL', 'Severity'],
    time: ['timestamp', '@timestamp', 'time', 'ts', 'Timestamp', 'datetime', 'eventTime', 'event_time'],
    otherTimes: [
      't',
      '@time',
      '_ts',
      'time_stamp',
      '_timestamp',
      'log_time',
      'log_timestamp',
      'timecreated',
      'occurred_at',
      'occurredat',
      'created_at',
      'createdat',
      'creation_time',
      'published_date',
      'published_at',
      'publishedat',
      'dt',
      'date',
      'date_time',
    ],
    service: ['service', 'service_name', 'serviceName', 'app', 'application', 'app_name', 'appname'],
    trace: ['traceId', 'traceID', 'trace.id', 'TraceId', 'TraceID', 'mdc.traceId', 'otelTraceID', 'dd.trace_id'],
    span: ['spanId', 'spanID', 'span.id', 'SpanId', 'SpanID', 'mdc.spanId', 'otelSpanID', 'dd.span_id'],
  },
  {
    name: 'OpenTelemetry',
    text: ['Body'],
    level: ['severityText', 'severity_text', 'SeverityText'],
    time: ['timeUnixNano', 'observedTimeUnixNano', 'ObservedTimestamp'],
    service: [
      'k8s.deployment.name',
      'k8s.statefulset.name',
      'k8s.daemonset.name',
      'service.name',
      'resource.service.name',
      'resource.attributes.service.name',
      'Resource.service.name',
    ],
    trace: ['trace_id'],
    span: ['span_id'],
    fields: PLACES,
  },
  {
    name: 'OpenTelemetry, number of the level',
    has: ['severityNumber'],
    level: ['severityNumber'],
    levels: 'otel',
  },
  {
    name: 'OpenTelemetry, number of the level in snake case',
    has: ['severity_number'],
    level: ['severity_number'],
    levels: 'otel',
  },
  { name: 'pino, bunyan', has: ['level', 'time', 'hostname', 'pid'], service: ['name'] },
  { name: 'logr, zap: name of the logger as service', has: ['level', 'ts', 'logger', 'caller'], service: ['logger'] },
  { name: 'hclog, Terraform', text: ['@message'], level: ['@level'], service: ['@module'] },
  { name: 'tracing (Rust)', text: ['fields.message'] },
  { name: 'logback, logstash encoder', has: ['level_value'], level: ['level_value'], levels: 'logback' },
  { name: 'Elastic Common Schema', text: ['log.original'], service: ['kubernetes.deployment.name', 'service.type'] },
  {
    name: 'log4j2 JsonLayout',
    has: ['loggerName', 'thread'],
    timeParts: ['instant.epochSecond', 'instant.nanoOfSecond'],
    time: ['timeMillis'],
  },
  {
    name: 'log4j2 context',
    trace: ['contextMap.traceId', 'contextMap.trace_id'],
    span: ['contextMap.spanId', 'contextMap.span_id'],
  },
  {
    name: 'GELF',
    has: ['version', 'host', 'short_message'],
    levels: 'syslog',
    service: ['_service', '_app', '_application', '_facility', 'facility'],
    fields: { trace_id: ['_trace_id', '_traceId'], span_id: ['_span_id', '_spanId'] },
  },
  { name: 'GELF, text', text: ['short_message'] },
  {
    name: 'Serilog, CLEF',
    text: ['@m', '@mt'],
    level: ['@l'],
    time: ['@t'],
    trace: ['@tr'],
    span: ['@sp'],
  },
  {
    name: 'Serilog, CLEF without a level',
    has: ['@t', '@mt'],
    defaultLevel: 'info',
    service: ['Application', 'ServiceName'],
  },
  {
    name: 'Serilog, CLEF rendered without a level',
    has: ['@t', '@m'],
    defaultLevel: 'info',
    service: ['Application', 'ServiceName'],
  },
  {
    name: 'Serilog JSON, NLog, .NET console',
    text: ['RenderedMessage', 'Message', 'MessageTemplate'],
    level: ['LogLevel'],
    service: ['Properties.Application', 'Properties.ServiceName'],
    trace: ['Properties.TraceId'],
    span: ['Properties.SpanId'],
  },
  {
    name: 'Python logging',
    text: ['record.message'],
    level: ['levelname', 'record.level.name'],
    time: ['asctime', 'record.time.timestamp'],
  },
  { name: 'Python logging, number of the level', has: ['levelno'], level: ['levelno'], levels: 'python' },
  { name: 'Python logging, seconds', has: ['created', 'levelname'], time: ['created'] },
  { name: 'structlog', has: ['event'], text: ['event'] },
  { name: 'loguru', has: ['record.level.name'], service: ['record.extra.service', 'record.extra.app'] },
  { name: 'monolog', has: ['channel', 'level_name'], levels: 'monolog', service: ['channel'] },
  { name: 'monolog, level', level: ['level_name'] },
  {
    name: 'lograge',
    has: ['controller', 'action', 'duration'],
    fields: { duration_ms: ['duration'] },
    service: ['controller'],
  },
  { name: 'Docker', text: ['log'], hasLineEnd: true },
  { name: 'Fluent Bit', has: ['date', 'log'], time: ['date'] },
  { name: 'Fluent Bit, parsed', has: ['date', 'kubernetes.pod_name'], time: ['date'] },
  {
    name: 'Fluentd, Fluent Bit, Vector: Kubernetes',
    service: [
      'kubernetes.labels.app.kubernetes.io/name',
      'kubernetes.labels.app',
      'kubernetes.pod_labels.app.kubernetes.io/name',
      'kubernetes.pod_labels.app',
      'kubernetes.labels.k8s-app',
    ],
  },
  { name: 'Fluentd default time', has: ['tag', 'record'], time: ['time'] },
  {
    name: 'journald',
    text: ['MESSAGE'],
    level: ['PRIORITY'],
    levels: 'syslog',
    time: ['__REALTIME_TIMESTAMP', '_SOURCE_REALTIME_TIMESTAMP'],
    service: ['SYSLOG_IDENTIFIER', '_SYSTEMD_UNIT', '_COMM'],
  },
  {
    name: 'Google Cloud',
    text: ['textPayload', 'jsonPayload.message', 'jsonPayload.msg', 'protoPayload.methodName'],
    level: ['jsonPayload.severity', 'jsonPayload.level'],
    time: ['receiveTimestamp'],
    timeParts: ['timestamp.seconds', 'timestamp.nanos'],
    service: [
      'resource.labels.service_name',
      'serviceContext.service',
      'jsonPayload.serviceContext.service',
      'resource.labels.function_name',
      'labels.k8s-pod/app',
    ],
    trace: ['logging.googleapis.com/trace'],
    span: ['logging.googleapis.com/spanId'],
  },
  { name: 'Google Cloud, trace of an entry', has: ['logName', 'trace'], trace: ['trace'] },
  {
    name: 'Google Cloud, seconds and nanoseconds',
    has: ['timestampSeconds', 'timestampNanos'],
    timeParts: ['timestampSeconds', 'timestampNanos'],
  },
  {
    name: 'Azure',
    text: ['properties.message', 'properties.log', 'resultDescription', 'LogMessage', 'LogEntry'],
    level: ['properties.level', 'SeverityText'],
    time: ['TimeGenerated', 'timeGenerated'],
    service: ['AppRoleName', 'ContainerAppName_s', 'properties.containerName'],
    trace: ['operation_Id'],
    span: ['operation_ParentId'],
  },
  { name: 'Azure, tables', has: ['TimeGenerated', 'OperationId'], trace: ['OperationId'], span: ['ParentId'] },
  { name: 'Azure, number of the level', has: ['SeverityLevel'], level: ['SeverityLevel'], levels: 'azure' },
  ...windowsEvents.map((has) => ({
    name: `Windows event, by ${has.join(' and ')}`,
    has,
    level: ['LevelDisplayName'],
    levels: 'windows' as const,
    service: ['ProviderName', 'SourceName', 'winlog.provider_name'],
  })),
  ...['.', '.@', '.$.', '.#attributes.'].map((joint) => windowsXml(joint)),
  { name: 'Azure, Container Apps', text: ['Log_s', 'LogMessage_s'], time: ['time_t', 'TimeGenerated_t'] },
  {
    name: 'AWS Lambda',
    service: ['function_name', 'functionName', 'functionArn', 'record.functionName'],
    trace: ['xray_trace_id', 'xRayTraceId', 'AWSXRayTraceId'],
  },
  { name: 'AWS Lambda, errors', has: ['errorMessage', 'errorType'], text: ['errorMessage'] },
  { name: 'AWS CloudWatch', has: ['logGroup', 'logStream'], service: ['logGroup'] },
  {
    name: 'AWS CloudTrail',
    has: ['eventSource', 'eventName', 'eventTime'],
    text: ['eventName'],
    service: ['eventSource'],
  },
  {
    name: 'Caddy',
    has: ['request.uri', 'logger'],
    service: ['logger'],
    fields: {
      client: ['request.remote_ip'],
      method: ['request.method'],
      path: ['request.uri'],
      host: ['request.host'],
    },
  },
  {
    name: 'nginx JSON',
    has: ['remote_addr', 'request'],
    text: ['request'],
    ...nginxVariables,
  },
  {
    name: 'nginx JSON, members of the request',
    has: ['remote_addr', 'request_uri'],
    text: ['request_uri'],
    ...nginxVariables,
  },
  {
    name: 'Traefik',
    has: ['RequestMethod', 'RequestPath'],
    time: ['StartUTC', 'StartLocal'],
    text: ['RequestPath'],
    service: ['ServiceName', 'RouterName'],
    fields: {
      client: ['ClientHost'],
      method: ['RequestMethod'],
      path: ['RequestPath'],
      host: ['RequestHost'],
      status: ['DownstreamStatus'],
    },
  },
  {
    name: 'Envoy',
    has: ['response_code', 'path', 'method'],
    time: ['start_time'],
    text: ['path'],
    service: ['upstream_cluster'],
    fields: {
      status: ['response_code'],
      duration_ms: ['duration'],
      client: ['downstream_remote_address'],
      host: ['authority'],
    },
  },
  {
    name: 'PostgreSQL jsonlog',
    has: ['error_severity', 'backend_type'],
    level: ['error_severity'],
    service: ['dbname'],
  },
  { name: 'MongoDB', has: ['t.$date', 's', 'c', 'ctx'], level: ['s'], service: ['c'] },
  { name: 'MongoDB, time', time: ['t.$date'] },
  { name: 'Elasticsearch', has: ['cluster.name', 'node.name', 'component'], service: ['component'] },
  { name: 'HAProxy JSON, Kong and others', has: ['started_at', 'request.uri'], time: ['started_at'] },
  {
    name: 'Kubernetes event',
    has: ['involvedObject.kind', 'reason'],
    level: ['type'],
    time: ['lastTimestamp', 'firstTimestamp', 'metadata.creationTimestamp'],
    service: ['involvedObject.name'],
  },
  {
    name: 'Kubernetes audit',
    has: ['auditID', 'requestURI', 'verb'],
    text: ['requestURI'],
    time: ['requestReceivedTimestamp', 'stageTimestamp'],
  },
  {
    name: 'Cloudflare',
    has: ['EdgeStartTimestamp', 'ClientRequestURI'],
    time: ['EdgeStartTimestamp'],
    text: ['ClientRequestURI'],
  },
]

/**
 * Returns the aliases that apply to all records, of the fields for text, level, time, trace and span. The first alias
 * that a record has is used.
 */
export function aliasesOf(
  shapes: readonly RecordShape[],
  fields: { readonly time: string; readonly text: string; readonly level: string },
): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>()
  for (const { has, text, level, time, trace, span } of shapes) {
    if (has !== undefined) continue
    const lists = [
      [fields.time, time],
      [fields.text, text],
      [fields.level, level],
      ['trace_id', trace],
      ['span_id', span],
    ] as const
    for (const [field, names] of lists)
      for (const name of names ?? []) if (name !== field && !aliases.has(name)) aliases.set(name, field)
  }
  return aliases
}

/** Returns a table with additional shapes, which are tried before its own. */
export function withShapes(table: RecordTableDefinition, more: readonly RecordShape[]): RecordTableDefinition {
  const shapes = [...more, ...(table.shapes ?? [])]
  const level = table.levelField ?? 'level'
  const aliases = new Map(aliasesOf(more, { time: table.timeField, text: table.textField, level }))
  for (const [name, field] of table.aliases) if (!aliases.has(name)) aliases.set(name, field)
  return { ...table, levelField: level, shapes, aliases }
}
