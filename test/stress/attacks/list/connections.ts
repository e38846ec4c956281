import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { logSearchBody, type Attack, type Caller } from '../attack.ts'

/** Opens `count` sockets. All of them are closed at the end of the attack. */
async function sockets(caller: Caller, count: number): Promise<readonly Socket[]> {
  const opened: Socket[] = []
  for (let i = 0; i < count && !caller.signal.aborted; i++) {
    const socket = connect(caller.address)
    socket.on('error', () => undefined)
    socket.once('close', () => caller.count('closed'))
    caller.signal.addEventListener('abort', () => socket.destroy(), { once: true })
    opened.push(socket)
    // The service's queue of connections to accept is short, so the attack must pause now and then.
    if (i % 100 === 99) await sleep(1)
  }
  return opened
}

const untilOver = (caller: Caller): Promise<unknown> =>
  caller.signal.aborted ? Promise.resolve() : once(caller.signal, 'abort')

function searchHead(caller: Caller, length: number): string {
  const { host, port } = caller.address
  return (
    `POST /api/logs/v2/search HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: Bearer ${caller.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  )
}

export const connectionAttacks: readonly Attack[] = [
  {
    name: '2,000 idle connections',
    run: async (caller) => {
      await sockets(caller, 2000)
      await untilOver(caller)
    },
  },
  {
    name: '1,000 slow senders',
    run: async (caller) => {
      const all = await sockets(caller, 1000)
      for (const socket of all) socket.write(searchHead(caller, 1000))
      while (!caller.signal.aborted) {
        for (const socket of all) if (socket.writable) socket.write('{')
        await sleep(500)
      }
    },
  },
  {
    name: '50 clients that never read',
    run: async (caller) => {
      const body = logSearchBody('* | limit 10000')
      for (const socket of await sockets(caller, 50)) {
        socket.pause()
        socket.write(searchHead(caller, body.length) + body)
      }
      await untilOver(caller)
    },
  },
  {
    name: 'answers that nobody reads',
    // Each answer is about 20 MB. The clients read only the status line, so their unread answers together need all
    // memory that the service reserves for answers.
    run: async (caller) => {
      const body = logSearchBody(`* | format "${'<content>'.repeat(20)}" as content | limit 5000`)
      while (!caller.signal.aborted) {
        for (const socket of await sockets(caller, 10)) {
          socket.write(searchHead(caller, body.length) + body)
          socket.once('data', (piece: Buffer) => {
            const status = piece.toString('latin1', 9, 12)
            caller.count(status)
            if (status === '200') socket.pause()
            else socket.destroy()
          })
        }
        await sleep(200)
      }
    },
  },
  {
    name: '200 whole answers',
    run: async (caller) => {
      await Promise.all(Array.from({ length: 200 }, () => caller.searchLogs('*')))
    },
  },
  {
    name: '200 sorts',
    run: async (caller) => {
      await Promise.all(Array.from({ length: 200 }, () => caller.searchLogs('* | sort by (content)')))
    },
  },
  {
    name: 'cancel storm',
    run: async (caller) => {
      while (!caller.signal.aborted) {
        const ending = new AbortController()
        const asked = Array.from({ length: 20 }, () => caller.searchLogs('* | sort by (content, pod)', ending.signal))
        await sleep(20)
        ending.abort()
        await Promise.all(asked)
      }
    },
  },
  {
    name: 'clock steps',
    run: async (caller) => {
      while (!caller.signal.aborted) {
        process.kill(caller.pid, 'SIGUSR2')
        await caller.searchLogs('_time:5m | stats by (level) count() as n')
        await sleep(50)
      }
    },
  },
]
