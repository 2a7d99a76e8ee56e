import { AutoScroller, Feedback, PointerActivationConstraints } from '@dnd-kit/dom'
import { PointerSensor } from '@dnd-kit/react'

/**
 * How a drag begins; `except` selects controls on which none does. The library's keyboard sensor moves by pixels and
 * has its own messages: see docs/decisions/010.
 */
export function dragSensors(except: string) {
  return [
    PointerSensor.configure({
      activationConstraints: ({ pointerType }) =>
        pointerType === 'touch'
          ? // On touch, wait: a finger that moves at once scrolls.
            [new PointerActivationConstraints.Delay({ value: 250, tolerance: 8 })]
          : [new PointerActivationConstraints.Distance({ value: 5 })],
      preventActivation: ({ target }) =>
        target instanceof Element && target.closest(except) !== null,
    }),
  ]
}

/** Without those that restyle the whole page when a drag begins, which is slow with many cards. */
export const dragPlugins = [
  AutoScroller.configure({ threshold: { x: 0.1, y: 0.15 } }),
  Feedback.configure({ dropAnimation: null }),
]
