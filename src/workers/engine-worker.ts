import { runBackground } from './background.ts'
import { serveJobs } from './serve-jobs.ts'
import { serveLine } from './serve-lines.ts'

serveJobs({
  onMessage: () => undefined,
  line: (port, isWanted) => serveLine(port, undefined, isWanted),
  background: runBackground,
  answer: () => Promise.reject(new Error('an engine sends no requests')),
})
