#!/usr/bin/env node
'use strict'
// Runs the command line. On a Node older than the floor it re-runs itself with the Node that npm packaged, if any.
const FLOOR = [22, 14]
// The allocator of glibc keeps what is freed in an arena for each few threads, which makes a busy server up to 300 MiB larger. It reads
// its settings when a process starts, so the server begins again in the place of this process, where Node can do that.
const isServer = process.platform === 'linux' && process.argv[2] === 'serve'
const env = isServer && process.env.MALLOC_ARENA_MAX === undefined ? { ...process.env, MALLOC_ARENA_MAX: '2' } : process.env
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) {
  if (env !== process.env && process.execve !== undefined)
    process.execve(process.execPath, [process.execPath, ...process.execArgv, __filename, ...process.argv.slice(2)], env)
  require('node:module').enableCompileCache?.()
  import(require('node:url').pathToFileURL(entry()).href).then(({ start }) => start())
} else {
  const packaged = packagedNode(__dirname)
  if (packaged === undefined) {
    process.stderr.write(`sluice needs Node ${FLOOR.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`)
    process.exit(2)
  }
  const args = [__filename, ...process.argv.slice(2)]
  // A Ctrl-C reaches both processes by itself: what is passed on goes over a channel, where the child can tell it from a second one.
  const child = require('node:child_process').spawn(packaged, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      if (child.connected) child.send(signal, () => undefined)
      process.on(signal, () => child.kill(signal))
    })
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** The bundle of the package; in a clone, the source unless the bundle is younger. */
function entry() {
  const { existsSync } = require('node:fs')
  const { join } = require('node:path')
  const root = join(__dirname, '..')
  const source = join(root, 'src/cli/main.ts')
  const bundle = join(root, 'dist/cli/main.js')
  if (!existsSync(source)) return bundle
  return existsSync(bundle) && isYounger(root) ? bundle : source
}

function isYounger(root) {
  const { readFileSync, statSync } = require('node:fs')
  const { ms, files } = JSON.parse(readFileSync(`${root}/dist/cli/made-of.json`, 'utf8'))
  return files.every((file) => (statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < ms)
}

function packagedNode(from) {
  const { existsSync } = require('node:fs')
  const { join, dirname } = require('node:path')
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (let folder = from; ; folder = dirname(folder)) {
    for (const packageName of [`node-${platform}`, `node-bin-${platform}`]) {
      const candidate = join(folder, 'node_modules', packageName, 'bin', name)
      if (existsSync(candidate)) return candidate
    }
    if (folder === dirname(folder)) return undefined
  }
}
