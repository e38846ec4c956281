import { logsqlVectors } from '../conformance/logsql.ts'
import { promqlVectors } from '../conformance/promql.ts'

/** Runs the vectors of a language in a web worker of a browser and posts the counts of each file. */
addEventListener('message', ({ data }: MessageEvent<{ readonly language: string; readonly directory: string }>) => {
  const set = data.language === 'promql' ? promqlVectors : logsqlVectors
  set.run(data.directory, undefined).then(
    (outcomes) => postMessage(outcomes.map(({ file, passed, failed, skipped }) => ({ file, passed, failed, skipped }))),
    (error: unknown) => postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
