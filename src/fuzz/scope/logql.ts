import type { Random } from '../../base/index.ts'
import { labelName } from '../../lang/logql/index.ts'
import { storedFields } from '../writer.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'

const VALUES = ['', 'a', 'shop', 'error', '.+', '.*api.*', '0']
const LINES = ['error', 'a', '"', 'status=', '5']

const drawLabel = (random: Random): string =>
  random.next() < 0.2
    ? random.pick(['service_name', 'detected_level', 'nothing'])
    : labelName(random.pick(storedFields))

function drawSelector(random: Random): string {
  const matchers = [`${random.pick(['namespace', 'service_name', 'pod'])}=~".+"`]
  while (random.next() < 0.4)
    matchers.push(`${drawLabel(random)}${random.pick(['=', '!=', '=~', '!~'])}${JSON.stringify(random.pick(VALUES))}`)
  return `{${matchers.join(', ')}}`
}

/** Draws a query of entries, such as `{pod=~".+"} |= "a" | json | status>=500`. */
function drawEntries(random: Random): string {
  let text = drawSelector(random)
  while (random.next() < 0.5) {
    const label = drawLabel(random)
    text += random.pick([
      ` ${random.pick(['|=', '!=', '|~', '!~'])} ${JSON.stringify(random.pick(LINES))}`,
      ` | ${random.pick(['json', 'logfmt', 'logfmt --strict', 'unpack', 'decolorize'])}`,
      ' | pattern "<first> <_>"',
      ` | ${label}${random.pick(['=', '!=', '=~'])}${JSON.stringify(random.pick(VALUES))}`,
      ` | ${label}${random.pick(['>', '<=', '=='])}${random.pick(['5', '1s', '1KB'])}`,
      ` | line_format "{{.${label}}} {{__line__}}"`,
      ` | label_format made="{{.${label}}}"`,
      ` | ${random.pick(['keep', 'drop'])} ${label}`,
      ' | drop __error__, __error_details__',
    ])
  }
  return text
}

function drawMetric(random: Random): string {
  const range = random.pick(['1s', '7m', '1h', '1d'])
  const grouping = random.pick(['by', 'without'])
  const labels = random.next() < 0.3 ? '' : [drawLabel(random), drawLabel(random)].join(', ')
  const counted = `${random.pick(['count_over_time', 'rate', 'bytes_over_time', 'absent_over_time'])}(${drawEntries(random)} [${range}])`
  const unwrapped = `${random.pick(['sum_over_time', 'max_over_time', 'first_over_time'])}(${drawEntries(random)} | unwrap ${drawLabel(random)} | __error__="" [${range}])`
  const inner = random.next() < 0.7 ? counted : unwrapped
  const op = random.pick(['sum', 'max', 'count', 'topk'])
  if (random.next() < 0.3) return inner
  return op === 'topk' ? `topk(1, ${inner})` : `${op} ${grouping} (${labels}) (${inner})`
}

/** Draws a request of Loki's read API about logs. */
export function drawLoki(random: Random, { start, end, limit }: EndpointRequest): HttpRequest {
  const of = (path: string, ...pairs: readonly (readonly [string, string])[]): HttpRequest => {
    const all = [['start', start], ['end', end], ...pairs].map(([name = '', value = '']): [string, string] => [
      name,
      value,
    ])
    return { method: 'GET', path: `/loki/api/v1/${path}?${new URLSearchParams(all).toString()}` }
  }
  const selector = ['query', drawSelector(random)] as const
  const entries = ['query', drawEntries(random)] as const
  const count = ['limit', String(limit)] as const
  const step = ['step', random.pick(['600', '86400'])] as const
  return random.pick([
    of('query_range', entries, count, ['direction', random.pick(['forward', 'backward'])]),
    of('query_range', ['query', drawMetric(random)], step),
    of('query', ['query', drawMetric(random)], ['time', end]),
    of('labels', selector),
    of(`label/${drawLabel(random)}/values`, selector),
    of('series', ['match[]', selector[1]]),
    of('index/stats', selector),
    of('index/volume', selector, count, ['aggregateBy', random.pick(['series', 'labels'])]),
    of('index/volume_range', selector, step),
    of('detected_fields', entries),
    of(`detected_field/${drawLabel(random)}/values`, entries),
    of('detected_labels', selector),
    of('patterns', selector, step),
  ])
}
