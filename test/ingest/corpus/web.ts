import { at, atMs, atUs, one, some } from './corpus.ts'

const combined =
  '192.0.2.7 - ann [30/Nov/2025:11:11:12 +0100] "GET /a?b=c HTTP/1.1" 404 2326 "https://x.example/" "Mozilla/5.0 (X11)"'

export const web = [
  one('common', '192.0.2.7 - ann [30/Nov/2025:11:11:12 +0100] "GET /a.gif HTTP/1.0" 200 2326', {
    text: '192.0.2.7 - ann [30/Nov/2025:11:11:12 +0100] "GET /a.gif HTTP/1.0" 200 2326',
    time: at,
    fields: {
      client: '192.0.2.7',
      user: 'ann',
      method: 'GET',
      path: '/a.gif',
      protocol: 'HTTP/1.0',
      status: 200,
      bytes: 2326,
    },
  }),
  one('combined', combined, {
    text: combined,
    time: at,
    fields: { status: 404, referrer: 'https://x.example/', user_agent: 'Mozilla/5.0 (X11)', path: '/a?b=c' },
  }),
  one('combined with a duration', `${combined} 0.123`, { time: at, fields: { duration_ms: 123 } }),
  one('combined of a virtual host', `shop.example:443 ${combined}`, {
    time: at,
    fields: { host: 'shop.example:443', client: '192.0.2.7', status: 404 },
  }),
  one('combined, not HTTP', '192.0.2.7 - - [30/Nov/2025:10:11:12 +0000] "\\x16\\x03\\x01" 400 166 "-" "-"', {
    time: at,
    fields: { path: '\\x16\\x03\\x01', status: 400 },
  }),
  one(
    'combined, IPv6 and quotes',
    '2001:db8::7 - - [30/Nov/2025:10:11:12 +0000] "GET / HTTP/2.0" 200 5 "-" "a \\"b\\" c"',
    { time: at, fields: { client: '2001:db8::7', user_agent: 'a "b" c', protocol: 'HTTP/2.0' } },
  ),
  one(
    'nginx, JSON',
    {
      time_local: '30/Nov/2025:10:11:12 +0000',
      remote_addr: '192.0.2.7',
      request: 'GET /a HTTP/1.1',
      status: '200',
      body_bytes_sent: '612',
      request_time: '0.005',
      http_user_agent: 'curl/8',
    },
    { text: 'GET /a HTTP/1.1', time: at, fields: { client: '192.0.2.7', user_agent: 'curl/8', status: '200' } },
  ),
  one(
    'nginx, error',
    '2025/11/30 10:11:12 [error] 31#32: *7 open() "/x" failed (2: No such file or directory), client: 192.0.2.7, server: x.example, request: "GET /x HTTP/1.1", host: "x.example"',
    {
      level: 'error',
      time: at,
      fields: { client: '192.0.2.7', method: 'GET', path: '/x', host: 'x.example', pid: '31', connection: '7' },
    },
  ),
  one('nginx, notice', '2025/11/30 10:11:12 [emerg] 1#1: bind() failed', {
    text: '2025/11/30 10:11:12 [emerg] 1#1: bind() failed',
    level: 'emergency',
    time: at,
  }),
  one(
    'Apache, error',
    '[Sun Nov 30 10:11:12.345678 2025] [core:error] [pid 35:tid 43] [client 192.0.2.7:1234] AH00037: x',
    {
      text: '[Sun Nov 30 10:11:12.345678 2025] [core:error] [pid 35:tid 43] [client 192.0.2.7:1234] AH00037: x',
      level: 'error',
      time: atUs,
      fields: { module: 'core', pid: '35', client: '192.0.2.7' },
    },
  ),
  one('Apache 2.2, error', '[Sun Nov 30 10:11:12 2025] [warn] [client 192.0.2.7] denied', {
    level: 'warn',
    time: at,
    fields: { client: '192.0.2.7' },
  }),
  one(
    'Apache, notice at start',
    '[Sun Nov 30 10:11:12.345678 2025] [mpm_event:notice] [pid 1:tid 1] AH00489: configured',
    { level: 'notice', time: atUs, fields: { module: 'mpm_event' } },
  ),
  one(
    'Caddy, access',
    {
      level: 'info',
      ts: 1764497472.345,
      logger: 'http.log.access',
      msg: 'handled request',
      request: { remote_ip: '192.0.2.7', proto: 'HTTP/2.0', method: 'GET', host: 'shop.example', uri: '/a' },
      bytes_read: 0,
      duration: 0.0015,
      size: 12,
      status: 200,
    },
    {
      text: 'handled request',
      level: 'info',
      time: atMs,
      service: 'http.log.access',
      fields: { client: '192.0.2.7', method: 'GET', path: '/a', host: 'shop.example', status: 200 },
    },
  ),
  one('Caddy, console', '2025/11/30 10:11:12.345\tINFO\thttp.auto_https\tserver is listening\t{"port": 80}', {
    level: 'info',
    time: atMs,
  }),
  one(
    'Traefik, access',
    '192.0.2.7 - - [30/Nov/2025:10:11:12 +0000] "GET / HTTP/1.1" 200 5 "-" "-" 17 "web@docker" "http://10.0.0.1:80" 12ms',
    { time: at, fields: { status: 200, duration_ms: 12, router: 'web@docker' } },
  ),
  one(
    'Traefik, JSON',
    {
      ClientHost: '192.0.2.7',
      DownstreamStatus: 502,
      Duration: 12000000,
      RequestMethod: 'GET',
      RequestPath: '/a',
      RequestHost: 'shop.example',
      RouterName: 'web@docker',
      ServiceName: 'shop@docker',
      StartUTC: '2025-11-30T10:11:12.345Z',
      level: 'info',
      msg: '',
    },
    {
      text: '',
      level: 'info',
      service: 'shop@docker',
      time: atMs,
      fields: { status: 502, path: '/a', method: 'GET', client: '192.0.2.7' },
    },
  ),
  one('Traefik, log', '2025-11-30T10:11:12Z ERR Cannot connect error="refused" providerName=docker', {
    level: 'error',
    time: at,
  }),
  one(
    'Envoy',
    '[2025-11-30T10:11:12.345Z] "GET /a HTTP/1.1" 503 UF 0 91 5 - "192.0.2.7" "curl/8" "id-1" "shop.example" "10.0.0.1:80"',
    {
      time: atMs,
      fields: {
        status: 503,
        method: 'GET',
        duration_ms: 5,
        bytes: 91,
        response_flags: 'UF',
        request_id: 'id-1',
        upstream: '10.0.0.1:80',
      },
    },
  ),
  one(
    'Envoy, Istio',
    '[2025-11-30T10:11:12.345Z] "GET /a HTTP/1.1" 200 - via_upstream - "-" 0 135 4 3 "-" "curl/8" "id-1" "shop:8000" "10.0.0.1:80" inbound|8000|| 127.0.0.1:1 10.0.0.1:80 10.0.0.2:3 - default',
    { time: atMs, fields: { status: 200, bytes: 135, duration_ms: 4, user_agent: 'curl/8', host: 'shop:8000' } },
  ),
  one(
    'Envoy, JSON',
    {
      start_time: '2025-11-30T10:11:12.345Z',
      method: 'GET',
      path: '/a',
      protocol: 'HTTP/1.1',
      response_code: 200,
      duration: 4,
      bytes_sent: 135,
      authority: 'shop',
      upstream_cluster: 'shop_v1',
    },
    { text: '/a', time: atMs, service: 'shop_v1', fields: { status: 200, duration_ms: 4, host: 'shop' } },
  ),
  one('Envoy, its own log', '[2025-11-30 10:11:12.345][1][warning][main] [source/server/server.cc:1] slow', {
    level: 'warn',
    time: atMs,
  }),
  one(
    'HAProxy, HTTP',
    '<134>Nov 30 10:11:12 lb haproxy[14389]: 192.0.2.7:33317 [30/Nov/2025:10:11:12.345] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} "GET /index.html HTTP/1.1"',
    {
      level: 'info',
      time: atMs,
      service: 'haproxy',
      fields: {
        client: '192.0.2.7',
        frontend: 'http-in',
        backend: 'static',
        server: 'srv1',
        status: 200,
        bytes: 2750,
        duration_ms: 109,
        method: 'GET',
        path: '/index.html',
      },
    },
  ),
  one(
    'HAProxy, TCP',
    'Nov 30 10:11:12 lb haproxy[14387]: 192.0.2.7:33313 [30/Nov/2025:10:11:12.345] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0',
    { time: atMs, service: 'haproxy', fields: { backend: 'bck', duration_ms: 5007, bytes: 212, termination: '--' } },
  ),
  one('HAProxy, text', 'Nov 30 10:11:12 lb haproxy[1]: Proxy web started.', {
    text: 'Nov 30 10:11:12 lb haproxy[1]: Proxy web started.',
    time: at,
    service: 'haproxy',
  }),
  some(
    'IIS',
    '#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2025-11-30 10:00:00\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken\n2025-11-30 10:11:12 10.0.0.1 GET /a - 443 - 192.0.2.7 Mozilla/5.0+(X) - 500 0 0 15\n',
    {
      time: at,
      fields: {
        client: '192.0.2.7',
        method: 'GET',
        path: '/a',
        status: 500,
        duration_ms: 15,
        user_agent: 'Mozilla/5.0 (X)',
      },
    },
  ),
  one(
    'Squid',
    '1764497472.345    123 192.0.2.7 TCP_MISS/200 4512 GET http://shop.example/a - HIER_DIRECT/10.0.0.1 text/html',
    {
      time: '2025-11-30T10:11:12.345000000Z',
      fields: {
        client: '192.0.2.7',
        status: 200,
        bytes: 4512,
        duration_ms: 123,
        method: 'GET',
        url: 'http://shop.example/a',
        result_code: 'TCP_MISS',
        hierarchy_code: 'HIER_DIRECT',
        peer: '10.0.0.1',
        content_type: 'text/html',
        user: undefined,
      },
    },
  ),
  one(
    'Squid, a tunnel',
    '1764497472.345 5000 2001:db8::7 TCP_TUNNEL/200 39 CONNECT shop.example:443 ann HIER_NONE/- -',
    {
      time: '2025-11-30T10:11:12.345000000Z',
      fields: { client: '2001:db8::7', user: 'ann', url: 'shop.example:443', peer: undefined, content_type: undefined },
    },
  ),
  one('Squid, a connection without an answer', '1764497472.345 0 192.0.2.7 NONE_NONE/000 0 - error:x - HIER_NONE/- -', {
    time: '2025-11-30T10:11:12.345000000Z',
    fields: { result_code: 'NONE_NONE', status: undefined },
  }),
  one('seconds before words that are not of Squid', '1764497472.345 started 7 workers', {
    text: '1764497472.345 started 7 workers',
    time: '2025-11-30T10:11:12.345000000Z',
    fields: { client: undefined },
  }),
]
