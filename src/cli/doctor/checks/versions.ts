import { createRequire } from 'node:module'
import { SluiceError, version } from '../../../base/index.ts'
import { openSqlite } from '../../../store/sqlite/index.ts'
import { ok, problem, warning, type Check, type Finding } from '../check.ts'

/** Releases of Node on which every release of Sluice is tested (`npm run test:packed`). */
const TESTED = [22, 24, 26]

/** Opens an in-memory database, which fails if the native library of the package does not fit this machine. */
async function sqlite(): Promise<Finding> {
  try {
    const connection = await openSqlite(':memory:')
    connection.close()
    return ok('The package better-sqlite3, which locks the data folder, works.')
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return problem(error.message, 'Install it beside Sluice: `npm install better-sqlite3`.')
  }
}

function grpc(): Finding {
  try {
    createRequire(import.meta.url).resolve('@grpc/grpc-js')
    return ok('The package @grpc/grpc-js, which --otlp-grpc needs, is installed.')
  } catch {
    return problem(
      'The package @grpc/grpc-js, which --otlp-grpc needs, is not installed.',
      'Install it beside Sluice: `npm install @grpc/grpc-js`.',
    )
  }
}

export const versions: Check = {
  name: 'versions',
  find: async ({ options }) => {
    const node = process.versions.node
    const isTested = TESTED.includes(Number(node.split('.')[0]))
    const text = `Sluice ${version} on Node ${node}, ${process.platform} ${process.arch}.`
    return [
      isTested ? ok(text) : warning(text, `Sluice is tested on Node ${TESTED.join(', ')}: install one of these.`),
      ...(options.data === undefined ? [] : [await sqlite()]),
      ...(options.otlpGrpc === undefined ? [] : [grpc()]),
    ]
  },
}
