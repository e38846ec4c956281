import type { Random } from './random.ts'

/** The variables of message templates by the name in braces. */
const variables: Readonly<Record<string, (random: Random) => string>> = {
  ip: (r) => `10.${r.below(64)}.${r.below(256)}.${1 + r.below(254)}`,
  port: (r) => String(1024 + r.below(64000)),
  ms: (r) => String(Math.round(Math.exp(3.2 + 1.1 * r.normal()))),
  sec: (r) => (r.unit() * 60).toFixed(3),
  user: (r) => `user${1000 + r.below(9_999_000)}`,
  order: (r) => `ord-${r.below(100_000_000)}`,
  hex8: (r) => r.hex(8),
  hex12: (r) => r.hex(12),
  hex32: (r) => r.hex(32),
  uuid: (r) => `${r.hex(8)}-${r.hex(4)}-4${r.hex(3)}-a${r.hex(3)}-${r.hex(12)}`,
  path: (r) => `/api/v${1 + r.below(3)}/${r.pick(resources)}/${r.below(100_000)}`,
  service: (r) => r.pick(services),
  method: (r) => r.pick(methods),
  code: (r) => r.pick(codes),
  bytes: (r) => String(Math.round(Math.exp(7 + 1.8 * r.normal()))),
  percent: (r) => (r.unit() * 100).toFixed(1),
  shard: (r) => String(r.below(64)),
  offset: (r) => String(r.below(900_000_000)),
  attempt: (r) => String(1 + r.below(5)),
  table: (r) => r.pick(tables),
  file: (r) => `/var/lib/data/segment-${r.below(40_000)}.bin`,
  node: (r) => `node-${r.pick(zones)}-${r.below(120)}`,
  version: (r) => `${1 + r.below(4)}.${r.below(30)}.${r.below(12)}`,
}

const resources = ['orders', 'carts', 'users', 'invoices', 'shipments', 'products', 'sessions', 'prices', 'reviews']
const methods = ['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'PATCH']
const codes = ['200', '200', '200', '200', '201', '204', '301', '400', '401', '404', '409', '429', '500', '502', '503']
const tables = ['orders', 'payments', 'stock_items', 'customers', 'events', 'audit_log', 'price_list', 'sessions']
const zones = ['a', 'b', 'c', 'd']
const services = [
  'auth',
  'basket',
  'billing',
  'catalog',
  'delivery',
  'email',
  'fraud',
  'geo',
  'inventory',
  'ledger',
  'loyalty',
  'media',
  'notify',
  'orders',
  'payments',
  'pricing',
  'quota',
  'ranking',
  'search',
  'stock',
  'tax',
  'users',
  'vault',
]

/** For each template its weight, the levels it is for (`any` for all) and its text. */
const templates: readonly (readonly [number, 'any' | 'good' | 'bad', string])[] = [
  [
    9,
    'good',
    'request {method} {path} completed with status {code} in {ms} ms for {user} from {ip} bytes sent {bytes} upstream {service}',
  ],
  [
    7,
    'good',
    'handled request id={uuid} method={method} path={path} status={code} duration={ms}ms size={bytes} client={ip}',
  ],
  [
    5,
    'good',
    'started request {hex12} {method} {path} for {user} session {hex8} via gateway {node} protocol HTTP/2 keepalive on',
  ],
  [
    4,
    'good',
    'request from {ip} port {port} accepted by listener on {node} and queued as number {shard} behind {attempt} others',
  ],
  [
    4,
    'good',
    'cache hit for key {service}:{hex12} ttl {sec} s size {bytes} bytes shard {shard} hit ratio now {percent} percent',
  ],
  [
    3,
    'good',
    'cache miss for key {service}:{hex12}, loading from table {table} with limit {bytes} and offset {offset} on replica {shard}',
  ],
  [
    3,
    'good',
    'query on table {table} took {ms} ms, rows examined {bytes}, rows returned {shard}, plan {hex8}, connection {port} of the pool',
  ],
  [
    3,
    'good',
    'published message {uuid} to topic {service}.events partition {shard} offset {offset} in {ms} ms with acks from all replicas',
  ],
  [
    3,
    'good',
    'consumed batch of {bytes} messages from topic {service}.events partition {shard} up to offset {offset}, lag is {ms}',
  ],
  [
    2,
    'good',
    'user {user} signed in from {ip} with device {hex12} using password and second factor, risk score {percent}',
  ],
  [2, 'good', 'session {hex8} of {user} refreshed, expires in {sec} s, token {hex32} issued by {service} on {node}'],
  [
    2,
    'good',
    'order {order} placed by {user} with {attempt} items, total {percent} EUR, payment reserved under reference {hex12}',
  ],
  [
    2,
    'good',
    'order {order} moved to state shipped by {service}, tracking number {hex12}, carrier notified in {ms} ms',
  ],
  [
    2,
    'good',
    'payment {uuid} captured for order {order}, amount {percent} EUR, provider answered {code} after {ms} ms',
  ],
  [
    2,
    'good',
    'wrote checkpoint {offset} to {file}, {bytes} bytes in {ms} ms, sync took {sec} s, previous checkpoint removed',
  ],
  [
    2,
    'good',
    'compaction of {file} finished: {bytes} bytes in, {offset} bytes out, ratio {percent} percent, {sec} s of work',
  ],
  [
    2,
    'good',
    'leader election for shard {shard}: {node} won term {offset} with {attempt} votes, followers catching up from {offset}',
  ],
  [
    1,
    'good',
    'loaded configuration version {version} from vault path secret/{service}, {shard} keys, checksum {hex32}',
  ],
  [
    1,
    'good',
    'health check of {service} on {node} passed in {ms} ms, {shard} of 64 slots free, memory {percent} percent used',
  ],
  [
    1,
    'good',
    'scaled deployment {service} from {attempt} to {shard} replicas because cpu was at {percent} percent for {sec} s',
  ],
  [1, 'good', 'container image {service}:{version} pulled on {node} in {sec} s, {bytes} kB, digest sha256:{hex32}'],
  [
    1,
    'good',
    'garbage collection pause of {ms} ms, heap {percent} percent, promoted {bytes} kB, total collections {offset}',
  ],
  [
    1,
    'good',
    'scheduled job cleanup-{table} removed {bytes} rows older than {shard} days in {sec} s without lock conflicts',
  ],
  [1, 'good', 'email to {user} about order {order} accepted by relay {ip}:{port} as message {hex12}, delay {sec} s'],
  [1, 'good', 'feature flag {service}.{hex8} evaluated to on for {user}, rule {attempt}, rollout at {percent} percent'],
  [1, 'good', 'certificate for {service}.internal renewed, serial {hex32}, valid for {shard} days, issuer vault'],
  [
    1,
    'good',
    'index {table} refreshed with {bytes} documents in {ms} ms, {shard} segments merged, searcher warmed on {node}',
  ],
  [1, 'good', 'exported {bytes} spans to collector {ip}:{port} in {ms} ms, queue length {shard}, dropped 0'],
  [
    3,
    'any',
    'connection {hex8} to {service} at {ip}:{port} closed after {sec} s, {bytes} bytes in, {bytes} bytes out, reason idle',
  ],
  [2, 'any', 'connecting to {service} at {ip}:{port} as {user}, pool has {shard} connections, {attempt} of them busy'],
  [2, 'any', 'retry {attempt} of 5 for call to {service} method {method} {path} after {ms} ms, last status {code}'],
  [2, 'any', 'slow request {method} {path} took {ms} ms, threshold 1000, handler {service}, trace {hex32}'],
  [1, 'any', 'rate limit of {bytes} per minute applied to {user} from {ip}, window resets in {sec} s, quota {service}'],
  [
    1,
    'any',
    'circuit breaker for {service} is half open, letting {attempt} requests through, failure rate {percent} percent',
  ],
  [1, 'any', 'lock on {table} row {offset} waited {ms} ms, holder session {hex8}, waiter {hex8}, deadlock check clean'],
  [1, 'any', 'replica {node} lags {sec} s behind, applying entry {offset} of {file}, throughput {bytes} kB per s'],
  [1, 'any', 'token {hex32} presented by {user} expires in {sec} s, refresh scheduled, audience {service}'],
  [
    4,
    'bad',
    'connection refused by {service} at {ip}:{port} while sending {method} {path}, retry {attempt} of 5 in {ms} ms',
  ],
  [
    4,
    'bad',
    'upstream {service} answered {code}: connection reset by peer after {sec} s, request {hex12} from {ip} failed',
  ],
  [4, 'bad', 'timeout after {ms} ms waiting for {service} at {ip}:{port}, request {uuid} of {user} abandoned'],
  [
    3,
    'bad',
    'read timeout on socket {port} to {node}, {bytes} bytes received, expected {bytes}, closing connection {hex8}',
  ],
  [
    3,
    'bad',
    'failed to process message {uuid} from topic {service}.events partition {shard}: schema version {version} unknown',
  ],
  [
    3,
    'bad',
    'transaction {hex12} on table {table} rolled back after {ms} ms: could not serialize access, attempt {attempt}',
  ],
  [
    2,
    'bad',
    'out of memory in worker {shard} on {node}: requested {bytes} kB, heap at {percent} percent, restarting container',
  ],
  [2, 'bad', 'panic recovered in handler {service} for {method} {path}: index {shard} out of range, stack {hex32}'],
  [
    2,
    'bad',
    'payment {uuid} of order {order} declined by provider with code {code}, reason insufficient funds, user {user}',
  ],
  [2, 'bad', 'access denied for {user} from {ip} to {path}: missing permission {service}.write, policy {hex8}'],
  [2, 'bad', 'disk usage on {node} at {percent} percent, {file} could not be extended by {bytes} kB, writes blocked'],
  [
    2,
    'bad',
    'dns lookup of {service}.internal failed after {ms} ms on {node}: server {ip} did not answer, using stale record',
  ],
  [1, 'bad', 'certificate of {ip}:{port} rejected: serial {hex32} is not yet valid, handshake aborted after {ms} ms'],
  [
    1,
    'bad',
    'liveness probe of {service} on {node} failed {attempt} times with status {code}, last answer {sec} s ago',
  ],
  [1, 'bad', 'backoff {sec} s before restarting container {service} on {node}, exit code {shard}, restarts {attempt}'],
  [1, 'bad', 'checksum mismatch in {file} at offset {offset}: expected {hex8}, found {hex8}, block quarantined'],
  [
    1,
    'bad',
    'consumer group {service} lost partition {shard} after {sec} s without heartbeat, rebalancing {attempt} members',
  ],
  [1, 'bad', 'quota exceeded for tenant {hex8}: {bytes} of {bytes} kB used on {node}, rejecting writes to {table}'],
  [
    1,
    'bad',
    'unexpected end of stream from {ip}:{port} after {bytes} bytes, {service} will resend from offset {offset}',
  ],
]

type Part = string | ((random: Random) => string)

interface Template {
  readonly weight: number
  readonly parts: readonly Part[]
}

function compile(text: string): readonly Part[] {
  return text.split(/[{}]/).map((part, index) => (index % 2 === 0 ? part : variables[part]))
}

/** Draws message texts. Rows with error levels mostly report failures, other rows mostly normal work. */
export class Messages {
  readonly #good: readonly Template[]
  readonly #bad: readonly Template[]

  constructor() {
    const of = (kind: 'good' | 'bad'): Template[] =>
      templates.flatMap(([weight, belongs, text]) =>
        belongs === kind || belongs === 'any'
          ? Array.from({ length: weight }, (): Template => ({ weight, parts: compile(text) }))
          : [],
      )
    this.#good = of('good')
    this.#bad = of('bad')
  }

  text(random: Random, isBad: boolean): string {
    const { parts } = random.pick(isBad ? this.#bad : this.#good)
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : part(random)
    return text
  }
}
