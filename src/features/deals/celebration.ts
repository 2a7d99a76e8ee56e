import classes from './celebration.module.css'

const pieces = 48
const hues = ['violet', 'green', 'yellow', 'blue', 'orange']

/** Confetti for a deal that was won: over everything, under no pointer, gone by itself after about two seconds. */
export function celebrate(): void {
  const sky = document.createElement('div')
  sky.className = classes.sky ?? ''
  sky.dataset.celebration = ''
  // Nothing that can be read or reached.
  sky.setAttribute('aria-hidden', 'true')
  for (let index = 0; index < pieces; index += 1) sky.append(piece(index))
  let falling = pieces
  sky.addEventListener('animationend', () => {
    falling -= 1
    if (falling === 0) sky.remove()
  })
  document.body.append(sky)
}

function piece(index: number): HTMLElement {
  const element = document.createElement('i')
  element.className = classes.piece ?? ''
  const between = (least: number, most: number) => least + Math.random() * (most - least)
  const values = {
    '--from': `${between(0, 100)}%`,
    '--drift': `${between(-80, 80)}px`,
    '--turns': `${between(-720, 720)}deg`,
    '--takes': `${between(1200, 2000)}ms`,
    '--waits': `${between(0, 300)}ms`,
    '--hue': `var(--mantine-color-${hues[index % hues.length]}-5)`,
  }
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, value)
  return element
}
