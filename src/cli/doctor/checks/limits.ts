import { defaultServerLimits } from '../../../server/index.ts'
import { ok, problem, warning, type Check } from '../check.ts'

/** Minimum number of open files. A lower limit is exhausted by part files and the connections of a few senders. */
const LEAST_FILES = 1024

const FIX =
  'Raise the limit: `LimitNOFILE=` of a systemd unit, `--ulimit nofile=` of a container, `ulimit -n` of a shell.'

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } }
}

/**
 * Returns the limit of open files and connections; `undefined` on systems without one. Node has already raised the soft
 * limit to the hard limit.
 */
function openFiles(): number | undefined {
  // `excludeNetwork` is missing in the type definitions. Without it, the report would resolve the host names of all
  // peers.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const soft = (report.getReport() as Report).userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

export const limits: Check = {
  name: 'limits',
  find: () => {
    const files = openFiles()
    const { connections } = defaultServerLimits
    if (files === undefined) return [ok('Open files are not limited.')]
    const text = `This process may open ${files.toLocaleString('en-US')} files and connections`
    if (files < LEAST_FILES) return [problem(`${text}, too few for a server.`, FIX)]
    if (files < connections)
      return [warning(`${text}; a server takes up to ${connections.toLocaleString('en-US')} connections.`, FIX)]
    return [ok(`${text}.`)]
  },
}
