const figures = new Intl.NumberFormat('en-US')

/** '1 company', '1,204 companies'. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figures.format(count)} ${count === 1 ? one : many}`
}
