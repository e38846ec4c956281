import { present } from '../base/index.ts'
import { createMemoryStore, standardCatalog } from '../store/index.ts'
import { storeInTurns, type WarmUpPart } from './warm-up-part.ts'

const ROWS = 4096
/** Rows of a segment: what is done once a segment comes by several times in each question. */
const SEGMENT_ROWS = 1024
const LEVELS = ['info', 'info', 'debug', 'warn', 'error']
const VERBS = ['opened', 'closed', 'refused', 'reset', 'accepted']

/** Searches, counts and groups of log records. */
export const searches: WarmUpPart = {
  questions: [
    'rare77* | stats count() n',
    'gateway refused | stats count() n',
    '"connection reset" | stats by (level) count() n | sort by (n desc)',
    'content:*nect* -debug | stats count() n',
    'content:~"port [0-9]+7 " | stats count() n',
    'rare1234 | sort by (_time desc) | limit 20',
    'connection | sort by (_time desc) | limit 20',
    'level:error refused | sort by (_time desc) | limit 20',
    'trace_id:t77 | sort by (_time desc) | limit 20',
    'level:info | sort by (_time desc) | offset 1000 | limit 20',
    'level:error | sort by (took desc) | limit 20',
    '-level:info took:>400 status:>=500 | stats count() n',
    '* | stats by (level) count() n',
    '* | stats by (_time:1ms) count() n',
    '* | stats by (service, level) count() n, avg(took) a | sort by (n desc, service) | limit 10',
    '* | stats by (service) count() n, count() if (level:error) e',
    '* | stats by (service) quantile(0.9, took) q, max(took) m',
    '* | stats count_uniq(trace_id) n',
    '* | uniq by (service)',
  ].map((query) => ({ table: 'logs', query })),
  // Most of a first search is code that never ran; its loops are short.
  rounds: 3,
  async store(signal) {
    const store = createMemoryStore(standardCatalog)
    await storeInTurns(store.table('logs'), ROWS, SEGMENT_ROWS, signal, (index) => [
      ['level', present(LEVELS[(index * 7) % LEVELS.length])],
      ['service', `service${(index * 31) % 40}`],
      ['trace_id', `t${(index * 13) % (ROWS / 4)}`],
      ['status', 200 + ((index * 17) % 6) * 100],
      ['took', ((index * 37) % 5000) / 10 + 0.05],
      ['content', `connection ${VERBS[(index * 11) % VERBS.length]} by gateway, port ${index % 1000} of rare${index}`],
    ])
    return store
  },
}
