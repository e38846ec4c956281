import { makeMatrix } from './matrix.ts'
import { printMatrix } from './run.ts'

const { report, operations } = await makeMatrix()
console.log(printMatrix(report, operations))
for (const fault of report.faults) console.log(`  ${fault}`)
process.exitCode = report.faults.length === 0 ? 0 : 1
