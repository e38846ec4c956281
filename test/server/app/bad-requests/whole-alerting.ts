import { Labels } from '../../../../src/data/index.ts'
import { readNotifyConfig } from '../../../../src/alerting/notify/index.ts'
import { AlertingService, TestClock } from '../../../../src/alerting/service/index.ts'
import type { DocumentStore } from '../../../../src/resources/index.ts'
import type { ServerContext } from '../../../../src/server/index.ts'

const CONFIG = `
route: { receiver: team, group_wait: 0s }
receivers: [{ name: team, webhook_configs: [{ url: 'http://127.0.0.1/' }] }]
`

/** Id of a dead letter that can always be sent again. The ids of real dead letters are not known in advance. */
export const DEAD_LETTER = 'known'

class WholeService extends AlertingService {
  override resend(id: string): boolean {
    return id === DEAD_LETTER || super.resend(id)
  }
}

/**
 * Returns alerting with a clock that the test advances. Every monitor alerts, and every notification fails for good.
 */
export function wholeAlerting(store: DocumentStore): NonNullable<ServerContext['alerting']> {
  const clock = new TestClock()
  const service = new WholeService({
    backend: 'default',
    store,
    config: readNotifyConfig(CONFIG, () => ''),
    environment: { externalLabels: Labels.empty, externalUrl: '' },
    clock,
    runQueries: (_, atMs) => {
      const series = { labels: Labels.empty, points: [{ timeMs: atMs, value: 1 }], columns: new Map<string, number>() }
      return Promise.resolve({ outputs: [{ name: 'q', series: [series], countsRows: false }] })
    },
    maySilence: () => true,
    runTemplateQuery: () => Promise.resolve([]),
    send: () => Promise.resolve({ kind: 'failed', reason: 'nobody is there' }),
    onFault: () => {},
  })
  service.start()
  return { of: () => service, rulesOf: () => [], moveClock: (toMs) => clock.moveTo(toMs, () => service.idle()) }
}
