"""A batch's arrays as PyTorch tensors over the same memory."""

from __future__ import annotations

from tests.games import each_game


@each_game
def test_tensors_are_the_batchs_own_memory(table):
    batch = table.make("batch", num_games=16, seed=1)
    tensors = batch.tensors()
    assert set(tensors) == {"observation", "action_mask", "seat", "reward", "done"}
    batch.play_random(400)
    for name, tensor in tensors.items():
        array = getattr(batch, name)
        assert tensor.data_ptr() == array.ctypes.data
        assert tensor.numpy().tobytes() == array.tobytes()
    batch.step(tensors["action_mask"].argmax(dim=1))
    assert tensors["observation"].numpy().tobytes() == batch.observation.tobytes()
