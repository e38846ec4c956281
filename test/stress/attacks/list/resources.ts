import type { Attack, Caller } from '../attack.ts'

const MONITORS = '/api/monitors'

const yaml = (name: string, make: () => string): Attack => ({
  name: `monitor: ${name}`,
  isOne: true,
  run: (caller) => caller.send(MONITORS, { headers: { 'Content-Type': 'application/x-yaml' }, body: make() }),
})

const monitorOf = (title: string, expression: string, description = ''): object => ({
  title,
  severity: 'S1',
  display: { description },
  model: {
    queries: [{ name: 'q', dataType: 'logs', expression }],
    thresholds: [{ name: 't', inputName: 'q', operator: 'gt', values: [1] }],
  },
})

/** Keeps `at` requests in flight until the attack's time is over or `most` requests were sent. */
async function storm(caller: Caller, at: number, most: number, send: (index: number) => Promise<void>): Promise<void> {
  let index = 0
  const one = async (): Promise<void> => {
    while (!caller.signal.aborted && index < most) await send(index++)
  }
  await Promise.all(Array.from({ length: at }, one))
}

/** Attacks by large bodies of monitors, silences and policies, and by endless changes to them. */
export const resourceAttacks: readonly Attack[] = [
  yaml('aliases of aliases', () => {
    const levels = Array.from({ length: 20 }, (_, i) =>
      i === 0
        ? 'a0: &a0 [x, x]'
        : `a${i}: &a${i} [${Array(10)
            .fill(`*a${i - 1}`)
            .join(', ')}]`,
    )
    return `title: t\n${levels.join('\n')}\n`
  }),
  yaml('100,000 brackets', () => `title: ${'['.repeat(100_000)}`),
  yaml('60,000 names', () => Array.from({ length: 30_000 }, (_, i) => `k${i}: 1`).join('\n')),
  yaml('one anchor a line', () => Array.from({ length: 20_000 }, (_, i) => `? &a${i} x\n: y`).join('\n')),
  yaml('deep indentation', () => Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')),
  yaml('folded blanks', () => `title: >\n${' \n'.repeat(120_000)}`),
  {
    name: 'monitors with hostile queries',
    leavesData: true,
    run: (caller) =>
      storm(caller, 8, Infinity, (i) => {
        const query = [
          Array.from({ length: 2000 }, (_, j) => `content:~"${i}x${j}"`).join(' or '),
          `${'('.repeat(120)}a${')'.repeat(120)}`,
          `* | stats ${Array.from({ length: 900 }, (_, j) => `count() if (a:${j}) as c${j}`).join(', ')}`,
        ][i % 3]
        return caller.sendJson(MONITORS, monitorOf(`hostile ${i}`, query ?? '*'))
      }),
  },
  {
    name: 'monitors of 200 KB',
    leavesData: true,
    run: (caller) =>
      storm(caller, 8, 1000, (i) => caller.sendJson(MONITORS, monitorOf(`m ${i}`, '*', 'x'.repeat(200_000)))),
  },
  {
    name: 'silences without end',
    leavesData: true,
    run: (caller) =>
      storm(caller, 32, 20_000, (i) =>
        caller.sendJson('/api/monitors/silences', {
          startsAt: '2026-01-01T00:00:00Z',
          endsAt: '2036-01-01T00:00:00Z',
          comment: `${i}`,
          matchers: Array.from({ length: 100 }, (_, j) => ({ name: `n${j}`, value: `(a|b)*${j}`, isRegex: true })),
        }),
      ),
  },
  {
    name: 'lists by hostile filters',
    run: (caller) =>
      storm(caller, 16, Infinity, () =>
        caller.sendJson('/api/monitors/list', {
          query: Array.from({ length: 2000 }, (_, i) => `title:~"a*${i}"`).join(' or '),
        }),
      ),
  },
]
