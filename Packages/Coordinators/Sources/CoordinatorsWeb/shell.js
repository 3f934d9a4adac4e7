// The script of the pages, which all work without it.
//
// It updates a page without a reload: when content has arrived that the page waits for, after Refresh, and while the user
// types into a form whose input the app receives. The element with the focus stays, and so does typed input. The Escape
// key follows the link that closes a dialog.
(() => {
  const edited = new Set()
  let timer, isSending = false, next = null

  // Replaces the children of an element by those of a newer one, except for the element with the focus.
  const replace = (old, fresh, target) => {
    const kept = [...old.children].find(child => child.contains(document.activeElement))
    const twin = target && [...fresh.children].find(child => child.contains(target))
    if (!kept || !twin || kept.tagName != twin.tagName) return old.replaceChildren(...fresh.childNodes)
    const nodes = [...fresh.childNodes], index = nodes.indexOf(twin)
    for (const node of [...old.childNodes]) if (node != kept) node.remove()
    kept.before(...nodes.slice(0, index))
    kept.after(...nodes.slice(index + 1))
    for (const { name, value } of [...twin.attributes]) if (name != 'value') kept.setAttribute(name, value)
    for (const { name } of [...kept.attributes]) if (!twin.hasAttribute(name)) kept.removeAttribute(name)
    if (kept != document.activeElement) replace(kept, twin, target)
  }

  // Shows a newer version of this page, or opens the page that the app shows now.
  const show = async (response, staysHere) => {
    const address = response.headers.get('Content-Location')
    if (!response.ok || !address) return location.reload()
    if (address != location.pathname + location.search) {
      if (!staysHere || response.redirected) return location.replace(address)
      history.replaceState(null, '', address)
    }
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const form of edited) {
      for (const field of form.elements) {
        const twin = field.id && fresh.getElementById(field.id)
        if (!twin) continue
        if (field.type == 'checkbox') twin.checked = field.checked
        else twin.value = field.value
        edited.add(twin.form)
      }
    }
    const focused = document.activeElement
    document.title = fresh.title
    replace(document.body, fresh.body, focused.id && fresh.getElementById(focused.id))
    for (const form of edited) if (!form.isConnected) edited.delete(form)
    if (focused != document.body && !focused.isConnected) {
      (document.getElementById(focused.id) ?? document.getElementById('title')).focus()
    }
    wait()
  }

  const wait = async () => {
    const status = document.querySelector('[data-wait]')
    if (!status || status.isWaiting) return
    status.isWaiting = true
    try { await show(await fetch(status.dataset.wait)) } catch {
      setTimeout(() => { status.isWaiting = false; wait() }, 2000)
    }
  }

  const send = async () => {
    if (isSending || !next) return
    const form = next, body = input(form)
    isSending = true
    next = null
    try {
      const response = await fetch(form.dataset.input, { method: 'POST', body })
      if (response.status == 200 && form.isConnected) await show(response, true)
    } catch {}
    isSending = false
    send()
  }

  // The fields of a form, with a bullet for each character of a secret.
  const input = form => {
    const fields = new URLSearchParams(new FormData(form))
    for (const field of form.querySelectorAll('[type=password]')) {
      fields.set(field.name, '•'.repeat(field.value.length))
    }
    return fields
  }

  addEventListener('input', event => {
    const form = event.target.form
    if (!form) return
    edited.add(form)
    if (!form.dataset.input) return
    next = form
    clearTimeout(timer)
    timer = setTimeout(send, 200)
  })

  addEventListener('submit', event => {
    next = null
    const form = event.target
    if (!form.matches('.refresh')) return
    event.preventDefault()
    fetch(form.action, { method: 'POST', body: input(form) }).then(show).catch(() => form.submit())
  })

  addEventListener('pagehide', () => { if (next) navigator.sendBeacon(next.dataset.input, input(next)) })

  addEventListener('keydown', event => {
    if (event.key == 'Escape' && !event.isComposing) document.querySelector('[role=dialog] [rel=prev]')?.click()
  })

  wait()
})()
