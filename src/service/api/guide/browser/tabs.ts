/** Shows two blocks of code for different shells as tabs. A choice applies to all blocks, and to the next page. */

export function addTabs(chosen: string | null, choose: (shell: string) => void): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')];
  const first = chosen ?? (/windows/i.test(navigator.userAgent) ? 'powershell' : 'sh');
  const show = (shell: string) => {
    for (const group of groups) {
      for (const tab of group.querySelectorAll<HTMLElement>('.tab')) tab.hidden = tab.dataset['shell'] !== shell;
      for (const button of group.querySelectorAll<HTMLElement>('[role=tab]'))
        button.setAttribute('aria-selected', String(button.dataset['shell'] === shell));
    }
  };
  for (const group of groups) {
    const list = document.createElement('div');
    list.className = 'tablist';
    list.setAttribute('role', 'tablist');
    for (const tab of group.querySelectorAll<HTMLElement>('.tab')) {
      const { shell = '' } = tab.dataset;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = tab.querySelector('.shell')?.textContent ?? shell;
      button.dataset['shell'] = shell;
      button.setAttribute('role', 'tab');
      button.addEventListener('click', () => {
        show(shell);
        choose(shell);
      });
      list.append(button);
      tab.setAttribute('role', 'tabpanel');
    }
    group.prepend(list);
    group.classList.add('live');
  }
  show(first);
}
