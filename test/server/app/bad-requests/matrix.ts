import type { Logged } from '../../harness/harness.ts'
import { commonClasses, methodsClass } from './common-classes.ts'
import { ingestAndReadClasses } from './data-classes.ts'
import { operationsOf, type Operation } from './operations.ts'
import { addRawRequests } from './raw.ts'
import { resourceClasses } from './resource-classes.ts'
import { runMatrix, type MatrixReport } from './run.ts'
import { wholeApp } from './whole-app.ts'

export interface Matrix {
  readonly report: MatrixReport
  readonly operations: readonly Operation[]
  readonly logged: readonly Logged[]
}

/** Sends every class of bad requests to every operation of the complete server. */
export async function makeMatrix(): Promise<Matrix> {
  const logged: Logged[] = []
  const app = wholeApp(logged)
  const operations = await operationsOf(app)
  const classes = [methodsClass(operations), ...commonClasses, ...resourceClasses, ...ingestAndReadClasses]
  const report = await runMatrix(app, operations, classes)
  await addRawRequests(app, operations, report)
  return { report, operations, logged }
}
