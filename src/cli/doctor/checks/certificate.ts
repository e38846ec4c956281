import { statSync } from 'node:fs'
import { DAY_MS, SluiceError } from '../../../base/index.ts'
import { readCertificate } from '../../../server/index.ts'
import { modeText, ok, problem, warning, type Check, type Finding } from '../check.ts'

/**
 * Certificates that last 90 days are usually renewed 30 days before their end. With fewer days left than this, renewal
 * has been failing.
 */
const WARN_DAYS = 21

/** Permission bits of other users. Access by the group is accepted, since services share a key that way. */
const EVERYONE = 0o007

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function findDates(
  path: string,
  { validFromMs, validToMs }: ReturnType<typeof readCertificate>,
  nowMs: number,
): Finding {
  const renew = 'Renew it: a running server reads the new files by itself, or on SIGHUP.'
  if (nowMs < validFromMs)
    return problem(`The certificate ${path} is valid from ${dayOf(validFromMs)} only.`, 'Look at the clock, or wait.')
  if (nowMs > validToMs) return problem(`The certificate ${path} ended on ${dayOf(validToMs)}.`, renew)
  const text = `The certificate ${path} is valid until ${dayOf(validToMs)}`
  return validToMs - nowMs < WARN_DAYS * DAY_MS
    ? warning(`${text}, less than ${WARN_DAYS} days.`, renew)
    : ok(`${text}.`)
}

export const certificate: Check = {
  name: 'certificate',
  find: ({ nowNs, options: { tlsCert, tlsKey } }) => {
    if (tlsCert === undefined && tlsKey === undefined) return [ok('There is none: ports are without TLS.')]
    if (tlsCert === undefined || tlsKey === undefined)
      return [problem('Of --tls-cert and --tls-key only one is given.', 'Give both, or neither.')]
    try {
      const read = readCertificate({ cert: tlsCert, key: tlsKey })
      const { mode } = statSync(tlsKey)
      return [
        findDates(tlsCert, read, Number(nowNs / 1_000_000n)),
        ...(read.names === ''
          ? [
              warning(
                `The certificate ${tlsCert} names no host in its subjectAltName, so clients refuse it.`,
                'Have one made with the name by which clients reach the server.',
              ),
            ]
          : [ok(`It is for ${read.names}.`)]),
        ...(process.platform === 'win32' || (mode & EVERYONE) === 0
          ? []
          : [
              warning(
                `Everyone can read the private key ${tlsKey} (mode ${modeText(mode)}).`,
                'Close it: `chmod 640 FILE`.',
              ),
            ]),
      ]
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return [problem(error.message, error.diagnostics.flatMap(({ notes }) => notes).join(' '))]
    }
  },
}
