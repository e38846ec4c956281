import { at, atMs, atNs, atUs, one, some, span, trace } from './corpus.ts'

export const cloud = [
  some(
    'CloudWatch, subscription',
    `${JSON.stringify({
      messageType: 'DATA_MESSAGE',
      owner: '1',
      logGroup: '/aws/lambda/shop',
      logStream: 's',
      subscriptionFilters: ['f'],
      logEvents: [
        { id: '1', timestamp: 1764497472345, message: 'one' },
        { id: '2', timestamp: 1764497473000, message: 'two' },
      ],
    })}\n`,
    { text: 'one', time: atMs, service: '/aws/lambda/shop', fields: { id: '1', logStream: 's' } },
    { text: 'two', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  some(
    'CloudWatch, get-log-events',
    `${JSON.stringify({
      events: [
        { timestamp: 1764497472345, message: 'one', ingestionTime: 1764497474000 },
        { timestamp: 1764497473000, message: 'two', ingestionTime: 1764497474000 },
      ],
      nextForwardToken: 'f/1',
    })}\n`,
    { text: 'one', time: atMs },
    { text: 'two', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  one('CloudWatch, export', '2025-11-30T10:11:12.345Z START RequestId: 1 Version: $LATEST', {
    text: '2025-11-30T10:11:12.345Z START RequestId: 1 Version: $LATEST',
    time: atMs,
  }),
  one(
    'AWS Lambda, JSON',
    {
      timestamp: '2025-11-30T10:11:12.345Z',
      level: 'ERROR',
      message: 'boom',
      requestId: 'r',
      xRayTraceId: '1-5e1b4151-5ac6c58f3a5f9d2e1b4f5c6d',
    },
    { text: 'boom', level: 'ERROR', time: atMs, trace: '1-5e1b4151-5ac6c58f3a5f9d2e1b4f5c6d' },
  ),
  one(
    'AWS Lambda Powertools',
    {
      level: 'INFO',
      location: 'f:1',
      message: 'x',
      timestamp: '2025-11-30 10:11:12,345+0000',
      service: 'shop',
      function_name: 'f',
      xray_trace_id: '1-a-b',
    },
    { text: 'x', level: 'INFO', time: atMs, trace: '1-a-b', service: 'shop' },
  ),
  some(
    'CloudTrail',
    `${JSON.stringify({ Records: [{ eventVersion: '1.08', eventTime: '2025-11-30T10:11:12Z', eventSource: 's3.amazonaws.com', eventName: 'GetObject', awsRegion: 'eu-west-1', sourceIPAddress: '192.0.2.7' }] })}\n`,
    { text: 'GetObject', time: at, service: 's3.amazonaws.com', fields: { awsRegion: 'eu-west-1' } },
  ),
  one(
    'Google Cloud, text',
    {
      insertId: 'a',
      logName: 'projects/p/logs/stdout',
      resource: {
        type: 'k8s_container',
        labels: { namespace_name: 'prod', pod_name: 'shop-1', container_name: 'shop' },
      },
      severity: 'WARNING',
      textPayload: 'slow',
      timestamp: '2025-11-30T10:11:12.345678901Z',
      receiveTimestamp: '2025-11-30T10:11:13Z',
      trace: `projects/p/traces/${trace}`,
      spanId: span,
    },
    {
      text: 'slow',
      level: 'WARNING',
      time: atNs,
      trace,
      span,
      fields: { namespace: 'prod', pod: 'shop-1', insertId: 'a' },
    },
  ),
  one(
    'Google Cloud, JSON',
    {
      logName: 'l',
      severity: 'ERROR',
      jsonPayload: { message: 'boom', code: 7 },
      timestamp: '2025-11-30T10:11:12.345Z',
      resource: { type: 'cloud_run_revision', labels: { service_name: 'shop' } },
    },
    { text: 'boom', level: 'ERROR', time: atMs, service: 'shop', fields: { 'jsonPayload.code': 7 } },
  ),
  one(
    'Google Cloud, time as an object',
    { severity: 'INFO', message: 'x', timestamp: { seconds: 1764497472, nanos: 345678901 } },
    { text: 'x', level: 'INFO', time: atNs },
  ),
  one(
    'Google Cloud, structured log',
    {
      severity: 'NOTICE',
      message: 'x',
      'logging.googleapis.com/trace': `projects/p/traces/${trace}`,
      'logging.googleapis.com/spanId': span,
      time: '2025-11-30T10:11:12Z',
    },
    { text: 'x', level: 'NOTICE', time: at, trace, span },
  ),
  one(
    'Google Cloud, Fluentd',
    { severity: 'DEFAULT', message: 'x', timestampSeconds: 1764497472, timestampNanos: 345678901 },
    { text: 'x', level: 'DEFAULT', time: atNs },
  ),
  some(
    'Azure, diagnostic settings',
    `${JSON.stringify({ records: [{ time: '2025-11-30T10:11:12.345Z', resourceId: '/x', category: 'AppServiceConsoleLogs', level: 'Warning', resultDescription: 'slow', properties: { host: 'h' } }] })}\n`,
    { text: 'slow', level: 'Warning', time: atMs, fields: { category: 'AppServiceConsoleLogs' } },
  ),
  one(
    'Azure, Application Insights',
    {
      TimeGenerated: '2025-11-30T10:11:12.345678Z',
      Message: 'boom',
      SeverityLevel: 3,
      OperationId: trace,
      ParentId: span,
      AppRoleName: 'shop',
    },
    { text: 'boom', level: 'error', time: atUs, service: 'shop', trace, span },
  ),
  one(
    'Azure, Container Apps',
    { TimeGenerated: '2025-11-30T10:11:12.345Z', ContainerAppName_s: 'shop', Log_s: 'hello', RevisionName_s: 'r1' },
    { text: 'hello', time: atMs, service: 'shop' },
  ),
  one(
    'Azure, AKS',
    { TimeGenerated: '2025-11-30T10:11:12.345Z', PodName: 'p', LogMessage: 'hello', LogSource: 'stdout' },
    { text: 'hello', time: atMs, fields: { PodName: 'p' } },
  ),
  one(
    'ALB',
    'https 2025-11-30T10:11:12.345678Z app/lb/50dc 192.0.2.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 201 0 57 "GET https://shop.example:443/a HTTP/1.1" "curl/8" ECDHE TLSv1.2 arn:x "Root=1-58337281-1d84f3d73c47ec4e58577259" "shop.example" "arn" 1 2025-11-30T10:11:12.000Z "forward" "-" "-"',
    {
      time: atUs,
      trace: '1-58337281-1d84f3d73c47ec4e58577259',
      fields: {
        method: 'GET',
        status: 200,
        target_status: 201,
        bytes: 57,
        duration_ms: 171,
        client: '192.0.2.7',
        user_agent: 'curl/8',
      },
    },
  ),
  one(
    'ELB',
    '2025-11-30T10:11:12.345678Z my-lb 192.0.2.7:2817 10.0.0.1:80 0.000073 0.001048 0.000057 200 200 0 29 "GET http://shop.example:80/ HTTP/1.1" "curl/8" - -',
    { time: atUs, fields: { status: 200, bytes: 29, duration_ms: 1.178, balancer: 'my-lb' } },
  ),
  one('VPC flow', '2 123456789010 eni-1235b8ca 192.0.2.7 10.0.0.1 20641 22 6 20 4249 1764497472 1764497532 REJECT OK', {
    time: at,
    fields: { client: '192.0.2.7', target_port: 22, bytes: 4249, action: 'REJECT' },
  }),
  one(
    'S3 access',
    '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be shop [30/Nov/2025:10:11:12 +0000] 192.0.2.7 arn:user 3E57427F3EXAMPLE REST.GET.OBJECT a/b.txt "GET /a/b.txt HTTP/1.1" 200 - 113 113 7 6 "-" "S3Console/0.4" -',
    {
      time: at,
      fields: {
        bucket: 'shop',
        operation: 'REST.GET.OBJECT',
        key: 'a/b.txt',
        status: 200,
        bytes: 113,
        duration_ms: 7,
        method: 'GET',
      },
    },
  ),
  some(
    'CloudFront',
    '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) time-taken\n2025-11-30\t10:11:12\tFRA2\t392\t192.0.2.7\tGET\td1.example\t/a\t200\tcurl/8\t0.015\n',
    {
      time: at,
      fields: {
        client: '192.0.2.7',
        method: 'GET',
        path: '/a',
        status: 200,
        bytes: 392,
        duration_ms: 15,
        'x-edge-location': 'FRA2',
      },
    },
  ),
  one(
    'Cloudflare',
    {
      EdgeStartTimestamp: '2025-11-30T10:11:12Z',
      ClientRequestURI: '/a',
      ClientRequestMethod: 'GET',
      EdgeResponseStatus: 200,
      RayID: 'r',
    },
    { text: '/a', time: at, fields: { RayID: 'r', ClientRequestURI: '/a' } },
  ),
  one(
    'Heroku router',
    '2025-11-30T10:11:12.345678+00:00 heroku[router]: at=info method=GET path="/" host=x.example status=200 bytes=7',
    { level: 'info', time: atUs },
  ),
  one(
    'ALB, a request that no target answered',
    'http 2025-11-30T10:11:12.345678Z app/my-lb/50dc6c495c0c9188 192.0.2.7:2817 - -1 -1 -1 503 - 34 366 "GET http://shop.example:80/ HTTP/1.1" "curl/8" - - - "Root=1-58337281-1d84f3d73c47ec4e58577259" "-" "-" 0 2025-11-30T10:11:12.345678Z "forward" "-" "-" "-" "-" "-" "-"',
    {
      time: atUs,
      trace: '1-58337281-1d84f3d73c47ec4e58577259',
      fields: {
        status: 503,
        request_processing_time: -1,
        target_processing_time: -1,
        response_processing_time: -1,
        duration_ms: undefined,
      },
    },
  ),
  one(
    'ELB, a target that closed the connection',
    '2025-11-30T10:11:12.345678Z my-lb 192.0.2.7:2817 10.0.0.1:80 0.000073 -1 -1 504 0 0 0 "GET http://shop.example:80/ HTTP/1.1" "curl/8" - -',
    { time: atUs, fields: { request_processing_time: 0.000073, target_processing_time: -1, duration_ms: undefined } },
  ),
]
