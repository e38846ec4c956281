import { SluiceError } from '../../base/index.ts'
import { HttpFault } from './http-fault.ts'

const DISK_STATUS: ReadonlyMap<string, number> = new Map([
  ['durable/disk-full', 507],
  ['durable/disk-reserve', 507],
  ['durable/deletion-stopped', 507],
  ['durable/write-failed', 503],
  ['durable/closed', 503],
  ['durable/read-failed', 503],
])

/** Converts an error of stored data to an error with an HTTP status; returns other errors unchanged. */
export function diskFault(error: unknown): unknown {
  if (!(error instanceof SluiceError)) return error
  const status = DISK_STATUS.get(error.code)
  return status === undefined ? error : new HttpFault(status, error.diagnostics)
}
