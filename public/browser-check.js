/* Written for browsers of ten years ago. What it asks for is what came last to the oldest ones that the console is built for. */
;(function () {
  var hasUnion = typeof Set === 'function' && 'union' in Set.prototype
  var hasAny = typeof AbortSignal === 'function' && 'any' in AbortSignal
  if (hasUnion && hasAny) return
  var versions = 'Chrome 122, Edge 122, Firefox 127, Safari 17.4, iOS 17.4'
  var texts = [
    ['en', 'This browser is too old', 'Sightline needs at least one of these: '],
    ['ru', 'Этот браузер устарел', 'Для Sightline нужна версия не ниже: '],
  ]
  var root = document.getElementById('root')
  /* The console starts nowhere without it. */
  root.removeAttribute('id')
  root.setAttribute('role', 'alert')
  root.style.cssText = 'max-width: 600px; margin: 0 auto; padding: 10vh 24px'
  for (var index = 0; index < texts.length; index += 1) {
    var text = texts[index]
    var part = document.createElement('section')
    part.lang = text[0]
    part.style.marginBottom = '32px'
    part.appendChild(document.createElement('h1')).textContent = text[1]
    part.appendChild(document.createElement('p')).textContent = text[2] + versions + '.'
    root.appendChild(part)
  }
})()
