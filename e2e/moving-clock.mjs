// Loaded into a server before its own code: lets the test that started it set its clock.
let shift = 0
const RealDate = Date
const now = () => RealDate.now() + shift

globalThis.Date = new Proxy(RealDate, {
  construct(target, values, self) {
    return Reflect.construct(target, values.length === 0 ? [now()] : values, self)
  },
  apply() {
    return new RealDate(now()).toString()
  },
  get(target, name) {
    return name === 'now' ? now : Reflect.get(target, name)
  },
})

process.on('message', (milliseconds) => {
  shift = Number(milliseconds)
  process.send?.('set')
})
