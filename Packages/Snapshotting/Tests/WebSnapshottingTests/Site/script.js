document.getElementById('today').textContent = new Date().toDateString();
document.getElementById('random').textContent = Math.random();
const pen = document.getElementById('chart').getContext('2d');
[30, 60, 45, 75].forEach((height, index) => {
  pen.fillStyle = ['#246', '#e52', '#2a6', '#db2'][index];
  pen.fillRect(index * 30, 80 - height, 24, height);
});
console.log(4, 'birds', { puffins: 2 }, ['swift']);
console.warn('The tide is high.');
