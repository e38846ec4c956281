import { defineDiagnostics } from '../../base/index.ts'

/** Errors of requests and of the server's state. `STATUS` maps them to HTTP statuses. */
export const serverDiagnostic = defineDiagnostics('server', {
  'no-key': (d: { header: string }) => ({
    message: `The \`${d.header}\` header with an API key is missing.`,
    why: 'Send `Authorization: Bearer <API_KEY>`.',
  }),
  'unknown-key': (d: { header: string }) => ({
    message: `The API key in \`${d.header}\` is not known here.`,
  }),
  'session-ended': (_: Record<never, never>) => ({
    message: 'This session has ended: it was too old, its key was changed, or the server was restarted.',
    why: 'Sign in again with a key.',
  }),
  'used-code': (_: Record<never, never>) => ({
    message: 'This sign-in code is not valid: it was used, is older than ten minutes, or is of another start.',
    why: 'Sign in with a key, or restart the server: it prints a new link.',
  }),
  'foreign-origin': (d: { origin: string }) => ({
    message: `A session is not accepted from a page of another origin (\`${d.origin}\`).`,
    why: 'Send a key in `Authorization`. Behind a proxy, let it pass the `Host` header on.',
  }),
  'no-sessions': (_: Record<never, never>) => ({
    message: 'There are no sessions here: the program that started this server does not list its keys.',
    why: 'Send the key with each request.',
  }),
  'no-console-header': (d: { header: string }) => ({
    message: `With a session, a request that is not GET needs the header \`${d.header}: 1\`.`,
    why: 'Pages of other origins cannot send it, so they cannot act for you.',
  }),
  'no-role': (d: { role: string }) => ({ message: `This key does not have the role \`${d.role}\`.` }),
  'no-backend': (d: { header: string }) => ({
    message: `The \`${d.header}\` header is missing, or names a backend that this key has no access to.`,
    why: 'There are several backends here; each request names one of them.',
  }),
  'wrong-host': (d: { host: string }) => ({
    message: `This server does not answer to the name \`${d.host}\` without a key.`,
    why: 'It listens for this machine alone; `--allow-host NAME` (`allowHosts`) adds a name, such as that of a proxy.',
  }),
  'foreign-name': (d: { host: string }) => ({
    message: `\`/mcp\` does not answer to the name \`${d.host}\`, also with a key.`,
    why: 'A page of the web could lead its own name here. `--allow-host NAME` (`allowHosts`) adds a name, such as that of a proxy.',
  }),
  'foreign-page': (d: { origin: string }) => ({
    message: `\`/mcp\` does not answer to pages of another origin (\`${d.origin}\`), also with a key.`,
    why: '`--cors ORIGIN` (`cors`) allows an origin. Behind a proxy, let it pass the `Host` header on.',
  }),
  'not-found': (d: { what: string }) => ({ message: `There is no such ${d.what} here.` }),
  'version-changed': (_: Record<never, never>) => ({
    message: 'Someone else has changed this since it was read; nothing was changed or deleted.',
    why: '`If-Match` names a version that is no longer stored. Read it again and apply the change to what it is now.',
  }),
  'method-not-allowed': (d: { method: string; allowed: readonly string[] }) => ({
    message: `\`${d.method}\` is not allowed on this path.`,
    why: `It takes ${d.allowed.map((method) => `\`${method}\``).join(', ')}.`,
  }),
  'body-too-large': (d: { limitBytes: number }) => ({ message: `The body is larger than ${d.limitBytes} bytes.` }),
  'body-beyond-memory': (d: { takesBytes: number; limitBytes: number }) => ({
    message: `To be taken in, the body needs up to ${d.takesBytes} bytes of memory; all rows may take ${d.limitBytes}.`,
    why: 'Send it in several requests, or start the server with a larger `--store-memory`.',
  }),
  'memory-full': (d: { staysBytes: number; limitBytes: number }) => ({
    message: `Of the ${d.limitBytes} bytes of memory that rows may take, ${d.staysBytes} stay taken whatever rows leave: too many for this body.`,
    why: 'Values that rows had are not forgotten. Start the server with a larger `--store-memory`; smaller requests may still pass.',
  }),
  'too-many-lines': (d: { limit: number }) => ({
    message: `The body has more than ${d.limit} lines.`,
    why: 'Send it in several requests.',
  }),
  'body-cut': (d: { what: string }) => ({ message: `The body could not be read: ${d.what}.` }),
  'wrong-content-type': (d: { found: string; accepted: readonly string[] }) => ({
    message: `A body of the type \`${d.found}\` cannot be read here.`,
    why: `Send it as ${d.accepted.map((type) => `\`${type}\``).join(', ')}.`,
  }),
  'wrong-encoding': (d: { found: string }) => ({
    message: `A body with the encoding \`${d.found}\` cannot be read here.`,
    why: 'Send it uncompressed, in UTF-8.',
  }),
  'bad-parameter': (d: { name: string; expected: string; found: string }) => ({
    message: `The parameter \`${d.name}\` must be ${d.expected}, not ${d.found}.`,
  }),
  'no-times': (_: Record<never, never>) => ({
    message: 'Rows of this query have no `_time`, so they cannot be counted over time.',
    why: 'A pipe has left it out or written over it; `ignore_pipes=1` leaves the pipes out.',
  }),
  'no-stats': (_: Record<never, never>) => ({
    message: 'This query does not end in `stats` with groups and numbers.',
    why: 'Behind `stats`, pipes may choose, sort, rename and calculate; others change what a group is.',
  }),
  'limit-over-time': (_: Record<never, never>) => ({
    message: 'A limit behind `stats` would cut steps, not series.',
    why: 'Use `sort by (…) limit N`, which chooses the groups of each step.',
  }),
  refusal: (d: { text: string }) => ({ message: d.text }),
  'bad-cursor': (_: Record<never, never>) => ({
    message: 'The cursor does not belong to this request.',
    why: 'Send the body and the parameters of the first page unchanged, with the `X-Next-Cursor` of the page before.',
  }),
  'not-tailed': () => ({
    message: 'This query cannot follow logs as they arrive.',
    why: 'Filters and pipes that pass rows on one by one can, such as `fields`, `rename`, `format` and `extract`; a search answers the others.',
  }),
  'missing-parameter': (d: { name: string; hint: string }) => ({
    message: `The parameter \`${d.name}\` is missing.`,
    why: d.hint,
  }),
  'unknown-parameter-word': (d: { name: string; word: string; near: readonly string[]; known: readonly string[] }) => ({
    message: `\`${d.word}\` is not a value of the parameter \`${d.name}\`.`,
    why: [
      ...(d.near.length > 0 ? [`Did you mean ${d.near.map((word) => `\`${word}\``).join(', ')}?`] : []),
      `Known here: ${d.known.map((word) => `\`${word}\``).join(', ')}.`,
    ],
  }),
  'pipes-in-filter': (d: { member: string }) => ({
    message: `\`${d.member}\` takes a filter only, without pipes or options.`,
    why: 'Pipes belong in `query` or `pipeline`.',
  }),
  'not-deletable': (d: { member: string }) => ({
    message: `\`${d.member}\` must choose rows by filters of their own fields: a subquery or another table cannot.`,
    why: 'What a subquery finds changes while rows leave. Ask it first, and write its values into the filter.',
  }),
  'alerts-under-scope': (_: Record<never, never>) => ({
    message: "This key sees only part of the data, and Alertmanager's API shows alerts of all of it.",
    why: 'Its monitors are listed by `GET /api/v1/rules`, without their alerts.',
  }),
  'delete-under-scope': (_: Record<never, never>) => ({
    message: 'Rows are deleted only by someone whose policies restrict nothing.',
    why: 'The policies of this user let through a part of the rows; which ones a filter meets beyond it cannot be seen.',
  }),
  'no-label-filter': (d: { what: string }) => ({
    message: `Labels of metrics cannot be filtered by ${d.what}.`,
    why: 'A filter can test whether a label is present, and what it equals, starts with, contains or matches.',
  }),
  'bad-record-option': (d: { parameter: string; header: string; reason: string }) => ({
    message: `The parameter \`${d.parameter}\` (or the header \`${d.header}\`) cannot be read: ${d.reason}.`,
  }),
  'bad-id': (d: { found: string }) => ({ message: `An id is a UUID, not ${d.found}.` }),
  'answer-too-large': (d: { limitBytes: number }) => ({
    message: `The answer is larger than ${d.limitBytes} bytes.`,
    why: 'Fewer `fields`, a smaller `limit` or a `stats` pipe make it smaller; a stream (`enableStream` with `Accept: application/x-ndjson`) has no limit.',
  }),
  'too-many-queries': (d: { limit: number }) => ({
    message: `This key already has ${d.limit} queries running.`,
    why: 'Wait until one of them has ended.',
  }),
  'too-many-requests': (d: { limit: number }) => ({
    message: `This key already has ${d.limit} requests waiting for their turn.`,
    why: 'Wait until one of them has been answered.',
  }),
  'too-many-answers': (d: { limitBytes: number }) => ({
    message: `The answers of this key that are being made or sent would take more than ${d.limitBytes} bytes.`,
    why: 'Read the answers to the end, or ask for fewer or smaller ones at a time.',
  }),
  'too-many-bodies': (d: { limitBytes: number }) => ({
    message: `The bodies of this key that are being taken in would take more than ${d.limitBytes} bytes.`,
    why: 'Send fewer or smaller ones at a time.',
  }),
  'line-full': (d: { limit: number }) => ({
    message: `${d.limit} queries are waiting already.`,
    why: 'Try again a little later.',
  }),
  'too-many-steps': (d: { limit: number }) => ({
    message: `The range has more than ${d.limit} steps.`,
    why: 'Use a longer `step` or a shorter range.',
  }),
  'bad-payload': (d: { format: string; reason: string }) => ({
    message: `The body is not valid ${d.format}: ${d.reason}.`,
  }),
  'nothing-accepted': (d: { rejected: number; line: number; reason: string; excerpt: string }) => ({
    message: `Nothing in the body can be stored: line ${d.line}: ${d.reason}.`,
    why: [`All ${d.rejected} are refused. The first one begins \`${d.excerpt}\`.`],
  }),
  'partly-accepted': (d: { accepted: number; rejected: number; line: number; reason: string; excerpt: string }) => ({
    message: `A part of the body cannot be stored: line ${d.line}: ${d.reason}.`,
    why: [`${d.rejected} are refused, the other ${d.accepted} are stored. The first one begins \`${d.excerpt}\`.`],
  }),
  'body-not-taken': (d: { why: 'memory' | 'silent' | 'crash' }) => ({
    message: {
      memory: 'The body cannot be taken in: it needs more memory than there is for one.',
      silent: 'The body cannot be taken in: a part of it takes too long.',
      crash: 'The body cannot be taken in: what reads it broke off.',
    }[d.why],
    why: 'Nothing of it is stored. Send it in several requests.',
  }),
  busy: (d: { reason: string }) => ({ message: `The server is busy: ${d.reason}.`, why: 'Try again a little later.' }),
  'no-key-store': (_: Record<never, never>) => ({
    message: 'Nothing is served: the keys of this server cannot be read.',
    why: 'Its log says why.',
  }),
  damaged: (_: Record<never, never>) => ({
    message: 'Nothing is served: what this server has stored cannot be read whole.',
    why: 'Its log names the file; `sluice repair` shows what can be saved.',
  }),
  stopping: (d: { reason: string }) => ({ message: `The server accepts no new requests: ${d.reason}.` }),
  'bad-request': (d: { what: string }) => ({ message: `The request cannot be read: ${d.what}.` }),
  'request-timeout': (d: { what: string }) => ({ message: `The request took too long to arrive: ${d.what}.` }),
  'headers-too-large': (d: { limitBytes: number }) => ({
    message: `The headers are larger than ${d.limitBytes} bytes.`,
  }),
  'expectation-failed': (d: { found: string }) => ({ message: `The expectation \`${d.found}\` is not supported.` }),
  internal: (d: { traceId: string }) => ({
    message: 'Something went wrong inside the server.',
    why: `The log has the details under the trace id ${d.traceId}.`,
  }),
})

export type ServerCode = (typeof serverDiagnostic.codes)[number]

/** HTTP status of each code of this module. */
export const STATUS: { readonly [K in ServerCode]: number } = {
  'no-key': 401,
  'unknown-key': 401,
  'session-ended': 401,
  'used-code': 401,
  'foreign-origin': 403,
  'no-sessions': 403,
  'no-console-header': 403,
  'no-role': 403,
  'no-backend': 403,
  'wrong-host': 421,
  'foreign-name': 421,
  'foreign-page': 403,
  'not-found': 404,
  'version-changed': 412,
  'method-not-allowed': 405,
  'body-too-large': 413,
  'body-beyond-memory': 413,
  'memory-full': 503,
  'too-many-lines': 413,
  'body-cut': 400,
  'wrong-content-type': 415,
  'wrong-encoding': 415,
  'bad-parameter': 400,
  'no-times': 400,
  'no-stats': 400,
  'limit-over-time': 400,
  refusal: 400,
  'bad-cursor': 400,
  'not-tailed': 400,
  'missing-parameter': 400,
  'unknown-parameter-word': 400,
  'pipes-in-filter': 400,
  'not-deletable': 400,
  'alerts-under-scope': 403,
  'delete-under-scope': 403,
  'no-label-filter': 400,
  'bad-record-option': 400,
  'bad-id': 400,
  'answer-too-large': 400,
  'too-many-queries': 429,
  'too-many-requests': 429,
  'too-many-answers': 429,
  'too-many-bodies': 429,
  'line-full': 429,
  'too-many-steps': 400,
  'bad-payload': 400,
  'nothing-accepted': 400,
  'partly-accepted': 400,
  'body-not-taken': 413,
  busy: 503,
  'no-key-store': 503,
  damaged: 503,
  stopping: 503,
  'bad-request': 400,
  'request-timeout': 408,
  'headers-too-large': 431,
  'expectation-failed': 417,
  internal: 500,
}
