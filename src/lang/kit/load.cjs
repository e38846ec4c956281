// CommonJS, because only `require` loads a module late and synchronously. Chevrotain costs 12 ms of processor time (bundled),
// which a program that imports Sluice pays with its first query text. Bundlers inline the call.
exports.loadEngine = () => require('./engine.ts')
