import { AutoScroller, Feedback, PointerActivationConstraints } from '@dnd-kit/dom'
import { DragDropProvider, DragOverlay, PointerSensor, useDraggable } from '@dnd-kit/react'
import { memo, type ReactNode, useState } from 'react'
import { useDraggables } from './draggables.ts'

type Point = { x: number; y: number }

type DragAreaProps = {
  /** Selects controls on which no drag begins. */
  except: string
  onStart: (id: string) => void
  onMove: (point: Point) => void
  onDrop: (point: Point) => void
  onCancel: () => void
  /** What is at the pointer during a drag. */
  held: ReactNode
}

/** Drags what `useDraggableRef` marks, by pointer; a part, loaded once something that can be dragged is shown. */
export function DragArea({ except, held, ...on }: DragAreaProps) {
  const draggables = useDraggables()
  const [sensors] = useState(() => sensorsFor(except))
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={({ operation }) => on.onStart(String(operation.source?.id))}
      onDragMove={({ to, operation }) => on.onMove(to ?? operation.position.current)}
      onDragEnd={({ canceled, nativeEvent, operation }) => {
        if (canceled) return on.onCancel()
        // The last pointer move may not have been reported yet.
        const isPointer = nativeEvent instanceof PointerEvent
        on.onDrop(
          isPointer
            ? { x: nativeEvent.clientX, y: nativeEvent.clientY }
            : operation.position.current,
        )
      }}
    >
      {[...draggables].map(([id, element]) => (
        <Draggable key={id} id={id} element={element} />
      ))}
      <DragOverlay dropAnimation={null}>{held}</DragOverlay>
    </DragDropProvider>
  )
}

const Draggable = memo(function Draggable({ id, element }: { id: string; element: HTMLElement }) {
  useDraggable({ id, element })
  return null
})

/** The library's keyboard sensor moves by pixels and has its own messages: see docs/decisions/010. */
function sensorsFor(except: string) {
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
const plugins = [
  AutoScroller.configure({ threshold: { x: 0.1, y: 0.15 } }),
  Feedback.configure({ dropAnimation: null }),
]
